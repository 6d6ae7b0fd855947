# What the verbs share: packages, steps with their times, the compiler's names.
# Sourced by bash; until packages are there it uses bash and coreutils alone.

# Debian 12 and Ubuntu 24.04 agree on these names.
BUILD_PACKAGES=(g++ cmake ninja-build pkg-config git ccache python3
  ca-certificates libhwy-dev libtbb-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev libgtest-dev libgmock-dev libbenchmark-dev
  libopenblas-dev libpng-dev libeigen3-dev libssl-dev libisal-dev)
LINT_PACKAGES=(clang-19 clang-tidy-19 clang-format-19)
FUZZ_PACKAGES=(clang-19 libclang-rt-19-dev)
TOUCHSTONE_PACKAGES=(python3-venv)
NEON_PACKAGES=(g++-aarch64-linux-gnu qemu-user)
WEBGPU_PACKAGES=(python3-venv libvulkan1 mesa-vulkan-drivers)

# The referee needs edition 2024 and what later releases made stable.
RUST_MINOR=90

JOBS=${JOBS:-$(nproc 2>/dev/null || echo 2)}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf '  hint: %s\n' "$2" >&2
  exit 1
}

# The names among the arguments that dpkg does not call installed.
missing_packages() {
  local known=" " line name
  while read -r line; do
    [ "${line#* }" = installed ] && known+="${line%% *} "
  done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" \
    2>/dev/null)
  for name in "$@"; do
    [[ $known == *" $name "* ]] || printf '%s\n' "$name"
  done
}

# Runs apt-get as root or through sudo; prints the line to run where neither
# is possible. The arguments are for the hint: the packages wanted.
apt_get() {
  local wanted=$1
  shift
  local sudo=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || fail \
      "missing packages, and neither root nor sudo to install them" \
      "apt-get install -y --no-install-recommends $wanted"
    sudo=(sudo)
  fi
  # stdin may be a terminal that sudo asks for a password.
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >&2 || fail \
    "apt-get $1 failed (see above)" \
    "as root: apt-get install -y --no-install-recommends $wanted"
}

# Makes sure that packages are installed. No apt call where all are.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    say "no dpkg here: taking the compilers and libraries as they are"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]}"
  apt_get "${missing[*]}" update
  apt_get "${missing[*]}" install -y --no-install-recommends "${missing[@]}"
}

# The minor version of the cargo found first, 0 where there is none.
cargo_minor() {
  local version
  version=$(cargo --version 2>/dev/null) || version="cargo 1.0.0"
  version=${version#cargo 1.}
  printf '%s\n' "${version%%.*}"
}

# Makes sure that `cargo` is new enough for the referee: what is there, else
# Debian's cargo-web, Ubuntu's cargo-1.NN, or rustup.
ensure_rust() {
  use_versioned_rust
  [ "$(cargo_minor)" -lt "$RUST_MINOR" ] || return 0
  apt_get "cargo" update
  local choice
  choice=$(choose_rust) || fail \
    "no package here offers Rust 1.$RUST_MINOR for the interop referee" \
    "install a recent Rust toolchain by hand and put cargo in the PATH"
  say "installing $choice"
  # shellcheck disable=SC2086
  apt_get "$choice" install -y --no-install-recommends $choice
  [ "$choice" != rustup ] || rustup default stable >&2
  use_versioned_rust
  [ "$(cargo_minor)" -ge "$RUST_MINOR" ] || fail \
    "cargo is still older than 1.$RUST_MINOR after installing $choice" \
    "put a newer cargo first in the PATH"
}

# Prints the packages that bring a new enough cargo.
choose_rust() {
  local version name best=0
  version=$(apt-cache policy cargo-web | sed -n 's/^ *Candidate: 1\.//p')
  if [ "${version%%.*}" -ge "$RUST_MINOR" ] 2>/dev/null; then
    echo "rustc-web cargo-web"
    return
  fi
  while read -r name _; do
    [ "${name#cargo-1.}" -gt "$best" ] && best=${name#cargo-1.}
  done < <(apt-cache search --names-only '^cargo-1\.[0-9]+$')
  if [ "$best" -ge "$RUST_MINOR" ]; then
    echo "rustc-1.$best cargo-1.$best"
  elif apt-cache policy rustup | grep -q 'Candidate: [0-9]'; then
    echo rustup
  else
    return 1
  fi
}

# Ubuntu's versioned packages install cargo-1.NN and rustc-1.NN under
# /usr/bin: links to the newest go first in the PATH.
use_versioned_rust() {
  [ "$(cargo_minor)" -lt "$RUST_MINOR" ] || return 0
  local tool best
  best=$(ls /usr/bin/cargo-1.* 2>/dev/null | sort -V | tail -n 1) || true
  [ -n "$best" ] || return 0
  mkdir -p build/rust
  for tool in cargo rustc; do
    ln -sf "/usr/bin/$tool-${best#/usr/bin/cargo-}" "build/rust/$tool"
  done
  PATH=$PWD/build/rust:$PATH
}

# Configures a preset once, and again where CMake has to.
configure() {
  [ -f "build/$1/build.ninja" ] || cmake --preset "$1"
}

# Builds targets of a preset: build_preset release assay_cli
build_preset() {
  local preset=$1
  shift
  configure "$preset"
  cmake --build "build/$preset" -j "$JOBS" ${@:+--target "$@"}
}

# Makes sure that build/skrf is a Python with the pinned scikit-rf.
ensure_skrf() {
  local wanted=tests/planar/requirements.txt
  ! cmp -s "$wanted" build/skrf/requirements.txt || return 0
  python3 -m venv build/skrf &&
    build/skrf/bin/pip install -q --disable-pip-version-check -r "$wanted" &&
    cp "$wanted" build/skrf/requirements.txt || fail \
    "scikit-rf could not be installed into build/skrf (see above)" \
    "python3-venv and the network are needed once"
}

# Makes sure that build/cryptography is a Python with the pinned package.
ensure_cryptography() {
  local wanted=bench/gcm_peer_requirements.txt
  ! cmp -s "$wanted" build/cryptography/requirements.txt || return 0
  python3 -m venv build/cryptography &&
    build/cryptography/bin/pip install -q --disable-pip-version-check \
      -r "$wanted" &&
    cp "$wanted" build/cryptography/requirements.txt || fail \
    "cryptography could not be installed into build/cryptography (see above)" \
    "python3-venv and the network are needed once"
}

# Makes sure that build/tink is a Python with the pinned Tink.
ensure_tink() {
  local wanted=tests/interop/tink/requirements.txt
  ! cmp -s "$wanted" build/tink/requirements.txt || return 0
  python3 -m venv build/tink &&
    build/tink/bin/pip install -q --disable-pip-version-check -r "$wanted" &&
    cp "$wanted" build/tink/requirements.txt || fail \
    "Tink could not be installed into build/tink (see above)" \
    "python3-venv and the network are needed once"
}

# Makes sure that build/venv-cuda holds the pinned CUDA compiler, 13.3 or
# later: the first with clmad. 321 MB; no GPU and no driver are needed.
ensure_cuda() {
  local wanted=tools/run/cuda_requirements.txt
  ! cmp -s "$wanted" build/venv-cuda/requirements.txt || return 0
  python3 -m venv build/venv-cuda &&
    build/venv-cuda/bin/pip install -q --disable-pip-version-check \
      -r "$wanted" &&
    cp "$wanted" build/venv-cuda/requirements.txt || fail \
    "the CUDA compiler could not be installed into build/venv-cuda (see above)" \
    "python3-venv and the network are needed once"
}

# Makes sure that build/wgpu-native holds wgpu-native: headers and library out
# of the pinned wheel, which is the only package of the kind that has both.
WGPU_WHEEL=wgpu==0.32.0
ensure_webgpu() {
  local folder=build/wgpu-native
  [ "$(cat $folder/version 2>/dev/null)" != "$WGPU_WHEEL" ] || return 0
  mkdir -p build/pip &&
    rm -rf $folder && mkdir -p $folder/wheel &&
    python3 -m venv build/pip &&
    build/pip/bin/pip download -q --disable-pip-version-check --no-deps \
      --only-binary=:all: -d $folder/wheel "$WGPU_WHEEL" &&
    python3 tools/unpack_wgpu.py $folder/wheel/*.whl $folder &&
    rm -r $folder/wheel && printf '%s\n' "$WGPU_WHEEL" >$folder/version || fail \
    "wgpu-native could not be fetched into $folder (see above)" \
    "python3-venv and the network are needed once"
}

# Sets NAGA to the pinned compiler of WGSL, which cargo builds once.
NAGA_VERSION=30.0.1
ensure_naga() {
  NAGA=build/naga/bin/naga
  [ "$($NAGA --version 2>/dev/null)" != $NAGA_VERSION ] || return 0
  NAGA=naga
  [ "$($NAGA --version 2>/dev/null)" != $NAGA_VERSION ] || return 0
  NAGA=build/naga/bin/naga
  ensure_rust
  cargo install -q naga-cli --version $NAGA_VERSION --locked \
    --root build/naga >&2 || fail \
    "naga-cli could not be built into build/naga (see above)" \
    "the network is needed once"
}

# Builds the referee with the processor's own instructions: without them it is
# 11 times slower.
build_referee() {
  ensure_rust
  (cd tests/interop/whir &&
    RUSTFLAGS="-C target-cpu=native" cargo build --release --locked)
}
REFEREE=tests/interop/whir/target/release/whir-referee

# Git also where the checkout belongs to another user.
repository() { git -c safe.directory="$PWD" "$@"; }
