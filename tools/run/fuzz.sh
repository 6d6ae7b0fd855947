#!/usr/bin/env bash
# Fuzzes each target for a number of seconds, starting from testdata.
# fuzz.sh [SECONDS] (a target, proofs of WHIR twice as many): what a target
# learns is kept under build/fuzz/corpus.
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
# One target a processor; one that fails stops nothing but fails the whole.
one() {
  local seconds=$2
  [ "$1" != whir_proof_fuzz ] || seconds=$((2 * seconds))
  mkdir -p "build/fuzz/corpus/$1"
  "build/fuzz/tests/$1" -max_total_time="$seconds" -max_len=262144 -timeout=20 \
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="build/fuzz/$1-" \
    "build/fuzz/corpus/$1" build/fuzz/seeds > "build/fuzz/$1.log" 2>&1 ||
    { tail -n 40 "build/fuzz/$1.log"; echo "$1 failed"; return 1; }
  tail -n 7 "build/fuzz/$1.log" | sed "s/^/$1: /"
}
export -f one
printf '%s\n' "${sources[@]}" | sed 's|.*/||; s|\.cc$||' |
  xargs -P "$(nproc)" -I{} bash -c "one {} $seconds"
say "${#sources[@]} passed, 0 failed"
