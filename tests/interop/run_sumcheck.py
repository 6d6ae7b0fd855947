#!/usr/bin/env python3
"""Sum-checks of assay judged by the unmodified binius64, and the other way.

SPDX-License-Identifier: Apache-2.0

Every instance is proved by both sides: the files must be the same bytes, and
each side's verifier must accept the other's. Forged files must be rejected by
both. tests/interop/binary/README.md says how to build the referee.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFEREE = ROOT / "tests/interop/binary/target/release/binary-referee"
FORGED = ROOT / "testdata/binary/sumcheck"
SIZES = [*range(1, 13), 15, 17]


def status(*command):
    return subprocess.run([str(word) for word in command], check=False,
                          stdout=subprocess.DEVNULL).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assay", default=ROOT / "build/release/assay")
    parser.add_argument("--referee", default=REFEREE)
    args = parser.parse_args()
    faults, cases = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        ours = pathlib.Path(scratch, "ours")
        theirs = pathlib.Path(scratch, "theirs")
        for n in SIZES:
            for d in range(1, 7):
                cases += 1
                case = f"n={n} d={d}"
                words = ["--n", n, "--d", d, "--seed", 1000 * n + d, "--out"]
                kind = "peer" if d == 2 else "naive"
                if status(args.assay, "sumcheck", "prove", *words, ours):
                    faults.append(f"{case}: assay does not prove")
                elif status(args.referee, "prove", *words, theirs, "--kind",
                            kind):
                    faults.append(f"{case}: the referee does not prove")
                elif ours.read_bytes() != theirs.read_bytes():
                    faults.append(f"{case}: the files differ")
                elif status(args.referee, "verify", ours):
                    faults.append(f"{case}: the referee rejects")
                elif status(args.assay, "sumcheck", "verify", theirs):
                    faults.append(f"{case}: assay rejects")
        for file in sorted(FORGED.glob("bad_*.bin")):
            cases += 1
            if not status(args.referee, "verify", file):
                faults.append(f"{file.name}: the referee accepts")
            if status(args.assay, "sumcheck", "verify", file) != 2:
                faults.append(f"{file.name}: assay does not reject")
    print("\n".join([*faults, f"{cases} cases, {len(faults)} failed"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
