#!/usr/bin/env bash
# Tests all that runs on this machine's GPU, and counts what passed.
# gpu_test.sh: builds the preset cuda. gpu_test.sh --prebuilt DIR: takes the
# build folder DIR, which may come from another machine (it needs python3).
set -uo pipefail
source tools/run/common.sh

# Those with tests of devices.
TESTS=(device_test ops_test binary_test whir_test)

prebuilt=
while [ $# -gt 0 ]; do
  case $1 in
    --prebuilt)
      prebuilt=${2:?--prebuilt needs a folder}
      shift 2
      ;;
    *) fail "unknown option $1" "./run gpu-test [--prebuilt DIR]" ;;
  esac
done
build=${prebuilt:-build/cuda}
if [ -z "$prebuilt" ]; then
  ensure_packages "${BUILD_PACKAGES[@]}" python3-venv
  ensure_cuda
  build_preset cuda assay_cli "${TESTS[@]}" ||
    fail "the build failed (see above)"
fi
assay=$build/assay
[ -x "$assay" ] || fail "there is no program $assay" \
  "--prebuilt takes a build folder"

"$assay" devices
mapfile -t devices < <("$assay" devices --json | python3 -c '
import json, sys
for device in json.load(sys.stdin)["devices"]:
    if device["device"].partition(":")[0] in ("cuda", "webgpu"):
        print(device["device"])')
[ ${#devices[@]} -gt 0 ] || fail "no GPU that this build can use" \
  "a GPU and its driver, and a build with cuda or webgpu, are needed"

total_passed=0
total_failed=0
# part NAME COMMAND...: the last line of its words counts.
part() {
  local name=$1 words status=0 passed failed
  shift
  words=$("$@" 2>&1) || status=$?
  read -r passed failed < <(printf '%s\n' "$words" |
    sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' | tail -n 1)
  if [ "$status" -ne 0 ] && [ "${failed:-0}" -eq 0 ]; then failed=1; fi
  printf '%s\n' "$words" | grep -v ' passed, .* failed$' | sed 's/^/  /'
  say "$name: ${passed:-0} passed, ${failed:-0} failed"
  total_passed=$((total_passed + ${passed:-0}))
  total_failed=$((total_failed + ${failed:-0}))
}

# Every case of every kernel. Some have no form on webgpu, and are counted by
# name only; any other without one has failed.
cases() {
  "$assay" selftest --device "$1" --json | python3 -c '
import json, sys
may_lack = {"webgpu": {"crc", "reed_solomon", "product_rounds"}}
lacks = may_lack.get(sys.argv[1].partition(":")[0], set())
cases = json.load(sys.stdin)["cases"]
absent = {c["op"] for c in cases if "form yet" in c["detail"]} & lacks
failed = 0
for case in cases:
    if not case["passed"] and case["op"] not in absent:
        failed += 1
        print("FAILED", case["name"] + ":", case["detail"])
if absent:
    print("without a form:", ", ".join(sorted(absent)))
passed = sum(case["passed"] for case in cases)
print(passed, "passed,", failed, "failed")
sys.exit(failed != 0 or passed == 0)' "$1"
}
# Tests that compare devices or try a backend; those of devices that are not
# here skip themselves.
unit_tests() {
  local status=0 name words passed=0 failed=0 count
  for name in "${TESTS[@]}"; do
    [ -x "$build/tests/$name" ] || continue
    words=$("$build/tests/$name" --gtest_brief=1 \
      --gtest_filter='AcrossDevices*:Cuda*:WebGpu*' 2>&1) || status=1
    printf '%s\n' "$words" | grep -E 'FAILED|Failure' || true
    count=$(printf '%s\n' "$words" |
      sed -nE 's/^\[  PASSED  \] ([0-9]+) tests?\.$/\1/p')
    passed=$((passed + ${count:-0}))
    count=$(printf '%s\n' "$words" |
      sed -nE 's/^ *([0-9]+) FAILED TESTS?$/\1/p')
    failed=$((failed + ${count:-0}))
  done
  say "$passed passed, $failed failed"
  return $status
}
# Tests read vectors where the build's sources were.
sources=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' \
  "$build/CMakeCache.txt" 2>/dev/null)

begin=$SECONDS
for device in "${devices[@]}"; do
  part "cases on $device" cases "$device"
  part "engines on $device" python3 tests/gpu/across_devices.py \
    --assay "$assay" --device "$device"
done
if [ -d "$sources/testdata" ] && [ -d "$build/tests" ]; then
  part "tests of devices" unit_tests
else
  say "tests of devices: left out, the build's sources are not here"
fi
say "all took $((SECONDS - begin)) s"
say "$total_passed passed, $total_failed failed"
[ "$total_failed" -eq 0 ]
