#!/usr/bin/env bash
# Does the main job of every engine on real input and checks what comes out.
# demo.sh [FILE] [--out FOLDER]: proves a value of FILE (by default the
# project's own specification) and sweeps a filter; the reports go to
# FOLDER/report.html and FOLDER/sweep.html, by default to this folder.
set -euo pipefail
source tools/run/common.sh

file=docs/engines/whir.md
out=build/demo
report=report.html
sweep=sweep.html
while [ $# -gt 0 ]; do
  case $1 in
    --out)
      out=${2:?--out needs a folder}
      report=$out/report.html
      sweep=$out/sweep.html
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

# A line with an open stub on a 10 mil board: all of it below 3.7 GHz, nothing
# at the notch. The status says that the answer passed its tests.
network=$out/notch_ro4350.s2p
rm -f "$sweep" "$network"
step "sweep a filter" 0 "$assay" sweep examples/planar/notch_ro4350.json \
  --from 0.1GHz --to 7GHz --points 141 --out "$network" --report "$sweep" \
  --currents
step "read its network back" 0 python3 - "$network" <<'PYTHON'
import sys
rows = [list(map(float, line.split())) for line in open(sys.argv[1])
        if line[0] not in "#!["]
notch = min(rows, key=lambda row: abs(complex(row[3], row[4])))
print(f"{len(rows)} frequencies; least |S21| "
      f"{abs(complex(notch[3], notch[4])):.4f} at {notch[0] / 1e9:.2f} GHz")
sys.exit(0 if 3.5e9 < notch[0] < 3.9e9 and len(rows) == 141 else 1)
PYTHON

say ""
printf '%-34s %8s %6s %9s\n' step expected status ms
printf '%s\n' "${rows[@]}"
say ""
say "file       $file ($(stat -c %s "$file") bytes)"
if [ -f "$proof" ]; then
  say "proof      $proof ($size bytes)"
  say "statement  $statement"
fi
[ ! -f "$network" ] || say "network    $network"
for page in "$report" "$sweep"; do
  if [ -f "$page" ]; then
    say "report     $page (open it in a browser)"
  else
    say "report     $page was not written"
    failed=$((failed + 1))
  fi
done
say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
