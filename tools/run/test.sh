#!/usr/bin/env bash
# Runs every check a change has to pass, and counts what passed.
# test.sh [STAGE...]: by default all, in the order of the table below.
set -uo pipefail
source tools/run/common.sh

# Quick answers first. Each is a function stage_NAME below.
STAGES=(house format release tidy ctest touchstone interop demo sanitizers
  fuzz neon webgpu cuda bench)

stage_house() {
  python3 tools/check_house_test.py && python3 tools/embed_wgsl_test.py &&
    python3 tools/check_house.py
}
stage_format() { bash tools/run/format.sh; }
stage_release() { build_preset release; }
stage_tidy() { python3 tools/run/tidy.py; }
# A stage builds what it runs (demo.sh and bench.sh do so too).
stage_ctest() { build_preset release && ctest --preset release -j "$JOBS"; }
stage_touchstone() {
  ensure_skrf && build_preset release touchstone_samples &&
    build/skrf/bin/python tests/planar/touchstone_skrf.py \
      build/release/tests/touchstone_samples
}
stage_interop() {
  build_preset release assay_cli && ensure_tink &&
    build/tink/bin/python tests/interop/run_tink.py \
      --assay build/release/assay && build_referee &&
    python3 tests/interop/run_whir.py --assay build/release/assay \
      --cases pairwise
}
stage_demo() { bash tools/run/demo.sh --out build/demo; }
stage_sanitizers() { build_preset dev && ctest --preset dev -j "$JOBS"; }
stage_fuzz() { bash tools/run/fuzz.sh 20; }
stage_neon() { bash tools/neon_test.sh; }
# The kernels of NVIDIA GPUs, compiled and linked; nothing runs on a GPU here.
stage_cuda() {
  ensure_cuda && build_preset cuda assay_cli ops_test cuda_bench &&
    python3 tests/gpu/without_gpu.py --assay build/cuda/assay
}
stage_webgpu() { bash tools/run/webgpu.sh; }
stage_bench() { bash tools/run/bench.sh --once; }

# Prints "passed failed" for a stage: the test runner's own count where its
# log ends in one, else the stage itself.
count() {
  local log=$1 status=$2 passed failed
  read -r passed failed < <(sed -nE \
    -e 's/^.*tests passed, ([0-9]+) tests? failed out of ([0-9]+).*$/\2 \1 c/p' \
    -e 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$log" | tail -n 1 |
    { read -r a b c && if [ -n "${c:-}" ]; then echo $((a - b)) "$b"; else
      echo "$a" "$b"; fi; }) || { passed=0 failed=0; }
  if [ "$status" -ne 0 ] && [ "${failed:-0}" -eq 0 ]; then
    failed=1
  elif [ "$status" -eq 0 ] && [ "${passed:-0}" -eq 0 ]; then
    passed=1
  fi
  echo "${passed:-0}" "${failed:-0}"
}

run_stage() {
  local name=$1 log=build/logs/$1.log status=0 begin=$SECONDS passed failed
  printf '%-12s' "$name"
  ("stage_$name") >"$log" 2>&1 </dev/null || status=$?
  read -r passed failed < <(count "$log" "$status")
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
  printf '%5d passed, %d failed, %4d s\n' "$passed" "$failed" \
    $((SECONDS - begin))
  [ "$status" -eq 0 ] || {
    say "--- the end of $log"
    tail -n 60 "$log"
    say "---"
  }
}

if [ $# -eq 0 ]; then
  set -- "${STAGES[@]}"
fi
for name in "$@"; do
  declare -F "stage_$name" >/dev/null || fail "no stage $name" \
    "the stages are ${STAGES[*]}"
done
mkdir -p build/logs
mapfile -t packages < <(printf '%s\n' "${BUILD_PACKAGES[@]}" \
  "${LINT_PACKAGES[@]}" "${FUZZ_PACKAGES[@]}" "${NEON_PACKAGES[@]}" \
  "${TOUCHSTONE_PACKAGES[@]}" | sort -u)
ensure_packages "${packages[@]}"

total_passed=0
total_failed=0
begin=$SECONDS
for name in "$@"; do run_stage "$name"; done
say "all stages took $((SECONDS - begin)) s"
say "$total_passed passed, $total_failed failed"
[ "$total_failed" -eq 0 ]
