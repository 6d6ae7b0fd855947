#!/usr/bin/env python3
# Times assay's sum-check beside binius64's, turn by turn in one run.
"""sumcheck_peer.py [--assay PATH] [--referee PATH] [--rounds 5] [--out FILE]

One thread each, pinned to one processor. Every round runs the referee's bench
once (binius64's own prover for d=2, the plain evaluator on its arithmetic for
other d; best of 7) and then assay on the same sizes (best of 7). Figures are
medians over the rounds, the ratio is peer / assay: above 1 means that assay is
faster. tests/interop/binary/README.md says how to build the referee.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
REFEREE = ROOT / "tests/interop/binary/target/release/binary-referee"
LINE = re.compile(r"n=(\d+) d=(\d+): packed evaluator ([\d.]+) ms, "
                  r"binius64 bivariate ([\d.]+|NaN) ms")


def output(*command):
    environment = dict(os.environ, RAYON_NUM_THREADS="1")
    return subprocess.run([str(word) for word in command], check=True,
                          capture_output=True, text=True,
                          env=environment).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assay", default=ROOT / "build/release/assay")
    parser.add_argument("--referee", default=REFEREE)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out")
    args = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    peer, own = {}, {}
    for _ in range(args.rounds):
        for n, d, packed, bivariate in LINE.findall(
                output(args.referee, "bench")):
            case = (int(n), int(d))
            peer.setdefault(case, []).append(
                float(packed if bivariate == "NaN" else bivariate))
            answer = json.loads(output(
                args.assay, "bench", "sumcheck", n, d, "--threads", 1,
                "--runs", 7, "--json"))
            own.setdefault(case, []).append(answer["prove_min_ms"])
    if not peer:
        raise SystemExit("error: the referee printed no line of its bench")
    rows = []
    print(" n  d    peer ms   assay ms  ratio")
    for (n, d), times in peer.items():
        theirs = statistics.median(times)
        ours = statistics.median(own[n, d])
        print(f"{n:2} {d:2} {theirs:10.3f} {ours:10.3f} {theirs / ours:6.2f}")
        rows.append({"n": n, "d": d, "peer_ms": theirs, "assay_ms": ours})
    if args.out:
        pathlib.Path(args.out).write_text(json.dumps(rows, indent=1) + "\n",
                                          encoding="utf-8")


if __name__ == "__main__":
    main()
