#!/usr/bin/env bash
# Checks the format, the include rules and clang-tidy of every file.
set -euo pipefail
source tools/run/common.sh

ensure_packages "${BUILD_PACKAGES[@]}" "${LINT_PACKAGES[@]}"
bash tools/run/format.sh "$@"
python3 tools/check_house.py
configure release >/dev/null
python3 tools/run/tidy.py --all
