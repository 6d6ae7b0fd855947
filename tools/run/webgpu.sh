#!/usr/bin/env bash
# Lints every WGSL file, then runs kernels through WebGPU without a GPU.
# webgpu.sh [lint]: with "lint" the first part alone.
set -euo pipefail
source tools/run/common.sh

# MSL for Apple, HLSL for Windows, SPIR-V for Vulkan: naga checks the text and
# writes each. No extensions: what a browser lacks must not slip in.
lint_wgsl() {
  ensure_naga
  local out=build/wgsl_lint file name target
  mkdir -p $out
  while read -r file; do
    name=$(basename "$file" .wgsl)
    python3 tools/embed_wgsl.py "$file" --text >"$out/$name.wgsl"
    for target in metal hlsl spv; do
      "$NAGA" "$out/$name.wgsl" "$out/$name.$target" --capabilities none \
        --metal-version 2.4 --shader-model 60 >"$out/log" 2>&1 || {
        say "FAILED $file to $target:"
        cat "$out/log"
        failed=$((failed + 1))
        continue
      }
      passed=$((passed + 1))
    done
  done < <(git -c safe.directory="$PWD" ls-files -co --exclude-standard \
    'assay/*.wgsl')
}

# Everything on one software driver, given by name and its file for Vulkan.
run_on() {
  say "=== $1"
  export VK_DRIVER_FILES=$2 VK_ICD_FILENAMES=$2 XDG_RUNTIME_DIR=/tmp
  local step build=build/webgpu
  for step in "$build/assay devices" \
    "$build/tests/device_test --gtest_brief=1 --gtest_filter=WebGpu*" \
    "$build/tests/webgpu_test --gtest_brief=1" \
    "$build/tests/ops_test --gtest_brief=1 --gtest_filter=AcrossDevices*" \
    "$build/tests/whir_test --gtest_brief=1 --gtest_filter=AcrossDevices*" \
    "$build/assay selftest --device webgpu" \
    "python3 tests/gpu/across_devices.py --assay $build/assay --device webgpu"
  do
    say "--- $step"
    if $step; then
      passed=$((passed + 1))
    else
      say "FAILED on $1: $step"
      failed=$((failed + 1))
    fi
  done
}

passed=0
failed=0
lint_wgsl
if [ "${1:-}" != lint ]; then
  ensure_packages "${BUILD_PACKAGES[@]}" "${WEBGPU_PACKAGES[@]}"
  ensure_webgpu
  build_preset webgpu assay_cli device_test webgpu_test ops_test whir_test
  run_on lavapipe "$(ls /usr/share/vulkan/icd.d/lvp_icd.*.json | head -n 1)"
  # Debian's chromium brings SwiftShader; Ubuntu's is no package but a snap.
  swiftshader=/usr/lib/chromium/vk_swiftshader_icd.json
  if [ ! -f $swiftshader ] &&
    apt-cache policy chromium 2>/dev/null | grep -q 'Candidate: [0-9]'; then
    ensure_packages chromium
  fi
  if [ -f $swiftshader ]; then
    run_on SwiftShader $swiftshader
  else
    say "no SwiftShader: this distribution has no package chromium"
  fi
fi
say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
