#!/usr/bin/env bash
# Does the main job of every engine on real input and checks what comes out.
# demo.sh [FILE] [--out FOLDER]: proves a value of FILE (by default the
# project's own specification), seals and protects it, proves a sum, and sweeps
# a filter. The pages demo.html, report.html and sweep.html go to FOLDER, by
# default to this folder.
set -euo pipefail
source tools/run/common.sh

file=docs/engines/whir.md
out=build/demo
report=report.html
sweep=sweep.html
summary=demo.html
while [ $# -gt 0 ]; do
  case $1 in
    --out)
      out=${2:?--out needs a folder}
      report=$out/report.html
      sweep=$out/sweep.html
      summary=$out/demo.html
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
  [ -z "$words" ] || printf '%s\n' "$words" | sed 's/^/  /'
  local outcome=ok
  if [ "$status" -eq "$expected" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    outcome="NOT as expected"
  fi
  rows+=("$(printf '%-34s %8d %6d %9d  %s' "$name" "$expected" "$status" \
    "$ms" "$outcome")")
  cells+="<tr><td>$(escape "$name")</td><td><code>$(escape "$*")</code></td>
<td><pre>$(escape "$words")</pre></td><td>$expected</td><td>$status</td><td>$ms ms</td>
<td>$outcome</td></tr>
"
}
cells=
# escape TEXT: for HTML.
escape() {
  printf '%s' "$1" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g'
}
# flip FILE BYTE-OFFSET COPY: a copy of the file with one bit turned.
flip() {
  python3 - "$@" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[int(sys.argv[2]) % len(data)] ^= 1
open(sys.argv[3], "wb").write(data)
PYTHON
}

# A Python that has Tink: the one of the interop tests, or the system's.
tink_python() {
  local python
  for python in build/tink/bin/python python3; do
    if "$python" -c 'import tink' 2>/dev/null; then
      printf '%s\n' "$python"
      return
    fi
  done
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
    flip "$proof" "$place" "$out/tampered.bin"
    step "one bit turned in byte $place" 2 "$assay" verify "$out/tampered.bin"
  done
fi

# The file sealed, opened, and refused to whoever changed a bit or has another
# key. The name is bound to it as associated data.
name=$(printf '%s' "$(basename "$file")" | od -An -v -tx1 | tr -d ' \n')
seal=(--key-file "$out/key" --aad "$name")
rm -f "$out/key" "$out/other_key" "$out/sealed" "$out/opened"
step "make a key" 0 "$assay" keygen --out "$out/key"
step "seal the file" 0 "$assay" seal "$file" "${seal[@]}" --out "$out/sealed"
step "open it" 0 "$assay" open "$out/sealed" "${seal[@]}" --out "$out/opened"
step "it is the file" 0 cmp "$file" "$out/opened"
python=$(tink_python)
if [ -n "$python" ]; then
  (umask 077 &&
    "$assay" keygen --key-file "$out/key" --tink >"$out/keyset.json")
  step "Google Tink opens it" 0 "$python" tests/interop/open_by_tink.py \
    "$out/keyset.json" "$out/sealed" "$name" "$file"
  rm -f "$out/keyset.json"
else
  say ""
  say "no Python with tink here: nobody else opened the sealed file"
fi
[ ! -f "$out/sealed" ] || flip "$out/sealed" 1000 "$out/tampered.sealed"
step "one bit turned in the sealed file" 2 "$assay" open \
  "$out/tampered.sealed" "${seal[@]}" --out "$out/opened"
"$assay" keygen --out "$out/other_key" >/dev/null
step "another key" 2 "$assay" open "$out/sealed" \
  --key-file "$out/other_key" --aad "$name" --out "$out/opened"

# Fourteen shards, ten of which are enough: two get lost, one is damaged.
shards=$out/shards
stem=$shards/$(basename "$file")
rm -rf "$shards"
step "protect the file" 0 "$assay" protect "$file" --out "$shards"
rm -f "$stem.003.shard" "$stem.011.shard"
[ ! -f "$stem.007.shard" ] || flip "$stem.007.shard" 500 "$stem.007.shard"
step "repair it" 0 "$assay" repair "$shards" --out "$out/repaired"
step "it is the file again" 0 cmp "$file" "$out/repaired"
rm -f "$stem.000.shard" "$stem.001.shard"
step "too many shards lost" 1 "$assay" repair "$shards" --out "$out/repaired"

# The sum of 2^16 products of three columns over GF(2^128).
sum=$out/sumcheck.bin
step "prove a sum" 0 "$assay" sumcheck prove --seed 7 --n 16 --d 3 --out "$sum"
step "verify it" 0 "$assay" sumcheck verify "$sum" --seed 7
[ ! -f "$sum" ] || flip "$sum" 300 "$out/tampered.sum"
step "one bit turned in a round" 2 "$assay" sumcheck verify \
  "$out/tampered.sum" --seed 7

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

cat >"$summary" <<HTML
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>assay demo</title>
<meta name="viewport" content="width=device-width"><style>
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; }
td, th { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0;
  border-bottom: 1px solid #8885; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; }
</style></head><body><h1>assay demo</h1>
<p>$passed passed, $failed failed, on $(date -u +%Y-%m-%d).
<a href="report.html">The proof</a>, <a href="sweep.html">the sweep</a>.</p>
<table><tr><th>step</th><th>command</th><th>answer</th><th>expected</th>
<th>status</th><th>took</th><th>outcome</th></tr>
$cells</table></body></html>
HTML

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
for page in "$summary" "$report" "$sweep"; do
  if [ -f "$page" ]; then
    say "report     $page (open it in a browser)"
  else
    say "report     $page was not written"
    failed=$((failed + 1))
  fi
done
say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
