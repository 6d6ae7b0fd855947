#!/usr/bin/env bash
# Compiles the operations for arm64 and runs their cases under qemu.
# neon_test.sh: needs an arm64 cross compiler and qemu-aarch64, no arm64
# libraries: Highway and {fmt} are used as headers, and threads are serial.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/run/common.sh

ensure_packages "${BUILD_PACKAGES[@]}" "${NEON_PACKAGES[@]}"
compiler=$(command -v aarch64-linux-gnu-g++) ||
  fail "there is no aarch64-linux-gnu-g++"
out=build/neon
mkdir -p "$out/include" "$out/objects"
# Never -I/usr/include: the host's C library headers must not be found.
ln -sfn /usr/include/hwy "$out/include/hwy"
ln -sfn /usr/include/fmt "$out/include/fmt"

mapfile -t sources < <(find assay/base assay/number assay/hash assay/device \
  assay/ops assay/protocol assay/runtime assay/whir tests/neon \
  -name '*.cc' \
  ! -name '*_test.cc' ! -path assay/base/parallel.cc \
  ! -path 'assay/device/cuda/*' ! -path 'assay/device/webgpu/*' 2>/dev/null |
  sort)
export out
export compile="$compiler -std=c++20 -O2 -march=armv8-a+crypto -Wall -Wextra
  -DHWY_COMPILE_ONLY_STATIC -DFMT_HEADER_ONLY -I. -I$out/include"
if command -v ccache >/dev/null; then
  compile="ccache $compile"
fi
compile_one() { $compile -c "$1" -o "$out/objects/${1//\//_}.o"; }
export -f compile_one
rm -f "$out"/objects/*.o
printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$JOBS" bash -c 'compile_one "$1" || exit 255' _
"$compiler" -static "$out"/objects/*.o -o "$out/neon_test" -lpthread
# Proofs whose witnesses are the smallest: these alone are made again as they
# are.
qemu-aarch64 "$out/neon_test" testdata/whir/proof_n{7,8,9_f3,10,12}_*.bin
