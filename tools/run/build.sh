#!/usr/bin/env bash
# Builds targets of the release preset, by default the program itself.
set -euo pipefail
source tools/run/common.sh

ensure_packages "${BUILD_PACKAGES[@]}"
if [ $# -eq 0 ]; then
  set -- assay_cli
fi
build_preset release "$@"
say "built build/release/assay"
