#!/usr/bin/env bash
# Fuzzes each target for a number of seconds in all, starting from testdata.
# fuzz.sh [SECONDS]: what a target learns is kept under build/fuzz/corpus.
set -euo pipefail
source tools/run/common.sh

seconds=${1:-60}
ensure_packages "${BUILD_PACKAGES[@]}" "${FUZZ_PACKAGES[@]}"
mapfile -t sources < <(find tests -name '*_fuzz.cc' | sort)
[ ${#sources[@]} -gt 0 ] || fail "there is no fuzz target under tests/"
build_preset fuzz fuzzers

mkdir -p build/fuzz/seeds
find testdata \( -name '*.bin' -o -path 'testdata/planar/*' \) -type f \
  -size -256k -exec cp -u {} build/fuzz/seeds/ \;
for source in "${sources[@]}"; do
  name=$(basename "$source" .cc)
  mkdir -p "build/fuzz/corpus/$name"
  "build/fuzz/tests/$name" -max_total_time=$((seconds / ${#sources[@]})) \
    -max_len=262144 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/$name-" \
    "build/fuzz/corpus/$name" build/fuzz/seeds
done
say "${#sources[@]} passed, 0 failed"
