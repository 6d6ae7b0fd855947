#!/usr/bin/env bash
# Builds targets, by default the program itself.
# build.sh [--preset release|webgpu|cuda] [TARGET...]
set -euo pipefail
source tools/run/common.sh

preset=release
if [ "${1:-}" = --preset ]; then
  preset=${2:?--preset needs a name}
  shift 2
fi
ensure_packages "${BUILD_PACKAGES[@]}"
case $preset in
  webgpu | cuda)
    ensure_packages python3-venv
    "ensure_$preset"
    ;;
esac
if [ $# -eq 0 ]; then
  set -- assay_cli
fi
build_preset "$preset" "$@"
say "built build/$preset/assay"
