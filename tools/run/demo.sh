#!/usr/bin/env bash
# Proves a value of a real file, verifies it, and has tampered copies rejected.
# demo.sh [FILE] [--out FOLDER]: by default the project's own specification;
# the report goes to FOLDER/report.html, by default report.html here.
set -euo pipefail
source tools/run/common.sh

file=docs/engines/whir.md
out=build/demo
report=report.html
while [ $# -gt 0 ]; do
  case $1 in
    --out)
      out=${2:?--out needs a folder}
      report=$out/report.html
      shift 2
      ;;
    -*) fail "unknown option $1" "./run demo [FILE] [--out FOLDER]" ;;
    *)
      file=$1
      shift
      ;;
  esac
done
[ -f "$file" ] || fail "there is no file $file"

bash tools/run/build.sh
mkdir -p "$out"
assay=build/release/assay
proof=$out/proof.bin
statement=$out/statement.json

rows=()
passed=0
failed=0
# step NAME EXPECTED-STATUS COMMAND...: runs it, its words indented.
step() {
  local name=$1 expected=$2 status=0 begin words
  shift 2
  say ""
  say "\$ $*"
  begin=$(date +%s%N)
  words=$("$@" 2>&1) || status=$?
  local ms=$((($(date +%s%N) - begin) / 1000000))
  printf '%s\n' "$words" | sed 's/^/  /'
  local outcome=ok
  if [ "$status" -eq "$expected" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    outcome="NOT as expected"
  fi
  rows+=("$(printf '%-34s %8d %6d %9d  %s' "$name" "$expected" "$status" \
    "$ms" "$outcome")")
}
# flip BYTE-OFFSET COPY: a copy of the proof with one bit turned.
flip() {
  python3 - "$proof" "$1" "$2" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[int(sys.argv[2]) % len(data)] ^= 1
open(sys.argv[3], "wb").write(data)
PYTHON
}

rm -f "$proof" "$statement" "$report"
step "prove" 0 "$assay" prove --input "$file" --point random --out "$proof" \
  --statement "$statement" --report "$report"
step "verify" 0 "$assay" verify "$proof"
step "verify against the statement" 0 "$assay" verify "$proof" \
  --statement "$statement"
if [ -f "$proof" ]; then
  size=$(stat -c %s "$proof")
  for place in 70 $((size / 2)) $((size - 3)); do
    flip "$place" "$out/tampered.bin"
    step "one bit turned in byte $place" 2 "$assay" verify "$out/tampered.bin"
  done
fi

say ""
printf '%-34s %8s %6s %9s\n' step expected status ms
printf '%s\n' "${rows[@]}"
say ""
say "file       $file ($(stat -c %s "$file") bytes)"
if [ -f "$proof" ]; then
  say "proof      $proof ($size bytes)"
  say "statement  $statement"
fi
if [ -f "$report" ]; then
  say "report     $report (open it in a browser)"
else
  say "report     not written"
  failed=$((failed + 1))
fi
say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
