#!/usr/bin/env bash
# Runs the benchmarks, results as JSON under build/bench.
# bench.sh: all, quickly. --once: one iteration each, to see that they run.
# bench.sh whir-peer [...]: the WHIR prover beside the Rust one.
# bench.sh gcm-peer: AES-GCM beside OpenSSL, the system's and the newest.
# bench.sh shards-peer [RUNS]: CRCs and erasure codes beside ISA-L.
# bench.sh binary [...]: every curve of the binary engine, on the GPU too where
# build/cuda is there, with a page. Minutes.
# bench.sh planar: whole sweeps, their growth with the unknowns, and the dense
# LDL^T beside LAPACK's zsytrf. Minutes. planar-ldlt: the last of these alone.
set -euo pipefail
source tools/run/common.sh

ensure_packages "${BUILD_PACKAGES[@]}"
mkdir -p build/bench
if [ "${1:-}" = whir-peer ]; then
  shift
  build_preset release assay_cli
  build_referee
  exec python3 bench/whir_peer.py --assay build/release/assay \
    --referee "$REFEREE" --out build/bench "$@"
fi
if [ "${1:-}" = gcm-peer ]; then
  build_preset release gcm_peer
  ensure_cryptography
  exec build/cryptography/bin/python bench/gcm_peer.py \
    --gcm-peer build/release/bench/gcm_peer --out build/bench/gcm_peer.json
fi
if [ "${1:-}" = shards-peer ]; then
  shift
  build_preset release shards_peer
  build/release/bench/shards_peer "$@" | tee build/bench/shards_peer.json
  exit
fi

if [ "${1:-}" = binary ]; then
  shift
  build_preset release assay_cli
  assay=build/release/assay
  others=()
  if [ -x build/cuda/assay ]; then
    ensure_cuda
    build_preset cuda assay_cli cuda_bench
    assay=build/cuda/assay
    bit_sliced=build/bench/bit_sliced.csv
    # GHASH by logic operations alone is no kernel of the library.
    if build/cuda/bench/cuda_bench ghash >build/bench/cuda_ghash.txt; then
      echo figure,curve,device,x,median_s >"$bit_sliced"
      awk '/^GHASH: bytes/ { sub(/^GHASH: /, ""); n = split($0, name, ", ")
             for (i = 1; i <= n; i++) if (name[i] == "bit-sliced us") c = i }
           c && /^[0-9]+ / { printf "GHASH,bit-sliced,cuda,%s,%g\n", $1,
             $c * 1e-6 }' build/bench/cuda_ghash.txt >>"$bit_sliced"
      others=(--with "$bit_sliced")
    fi
  fi
  exec "$assay" bench binary --out build/bench/binary "${others[@]}" "$@"
fi

if [ "${1:-}" = planar ]; then
  build_preset release assay_cli planar_ldlt
  build/release/assay bench planar --json | tee build/bench/planar.json
  python3 bench/planar_growth.py --out build/bench/planar_growth.svg
fi
if [ "${1:-}" = planar ] || [ "${1:-}" = planar-ldlt ]; then
  build_preset release planar_ldlt
  # What OpenBLAS chooses by itself, whatever the environment says.
  env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE build/release/bench/planar_ldlt
  exit
fi
case ${1:-} in
  '' | --once) ;;
  *)
    fail "there is no bench $1" \
      "whir-peer, gcm-peer, shards-peer, binary, planar, planar-ldlt, or nothing"
    ;;
esac

min_time=0.1 runs=3 n=20 bytes=64MiB
if [ "${1:-}" = --once ]; then
  min_time=0.000001 runs=1 n=12 bytes=64KiB
fi
build_preset release
count=0
while read -r program; do
  name=$(basename "$program")
  say "$name"
  "$program" --benchmark_min_time="$min_time" \
    --benchmark_out="build/bench/$name.json" --benchmark_out_format=json
  count=$((count + 1))
done < <(find build/release -name '*_bench' -type f -perm -u+x | sort)

build/release/assay bench whir "$n" 4 1 --runs "$runs" --json |
  tee build/bench/whir.json
build/release/assay bench binary --device cpu --max-bytes "$bytes" \
  --max-n "$n" --runs "$runs" --out build/bench/binary_quick
say "$((count + 2)) passed, 0 failed"
