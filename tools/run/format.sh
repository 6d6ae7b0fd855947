#!/usr/bin/env bash
# Checks the layout of C++ and CUDA sources, or repairs it with --fix.
# format.sh [--fix] [FILE...]: by default every source of ours.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mode=(--dry-run --Werror)
if [ "${1:-}" = --fix ]; then
  mode=(-i)
  shift
fi
if [ $# -eq 0 ]; then
  mapfile -t files < <(find assay cli bench tests examples \
    -name target -prune -o \( -name '*.h' -o -name '*.cc' -o -name '*.cu' \) \
    -print | LC_ALL=C sort)
  set -- "${files[@]}"
fi
exec clang-format-19 "${mode[@]}" "$@"
