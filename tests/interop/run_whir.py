#!/usr/bin/env python3
"""Proofs of assay judged by the unmodified p3-whir 0.8.0, and the other way.

SPDX-License-Identifier: Apache-2.0

Every case is proved by both sides. Both must find it infeasible, or both
proofs must be the same bytes and be accepted by the other side's verifier.
Cases and their order are the same in each run.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import whir_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFEREE_DIR = ROOT / "tests" / "interop" / "whir"

DIMENSIONS = {
    "order": ["prefix", "suffix"],
    "mode": ["given", "drawn"],
    "soundness": ["ud", "jb", "cb"],
    "fold": [1, 2, 3, 4, 5, 6],
    "rate": [1, 2, 3, 4],
    "points": [1, 2, 3],
    "n": list(range(7, 17)),
    "level": [(40, 4), (64, 8), (90, 16), (100, 12)],  # security, grinding
    "reduced": [False, True],
}
LEAST_CASES = 200
MOST_FINAL_VARIABLES = 6


class Tools:
    """The two programs and how they are asked."""

    def __init__(self, assay, referee):
        self.assay = assay
        self.referee = referee

    def run(self, command):
        # One thread makes the referee take the smallest witness.
        environment = dict(os.environ, RAYON_NUM_THREADS="1")
        return subprocess.run([str(word) for word in command],
                              env=environment, capture_output=True,
                              text=True, check=False)

    def assay_prove(self, flags, out):
        return self.run([self.assay, "prove", *flags, "--threads", 1,
                         "--out", out])

    def assay_verify(self, proof, *flags):
        return self.run([self.assay, "verify", proof, "--policy", "any",
                         *flags])

    def referee_prove(self, flags, out):
        return self.run([self.referee, "prove", *flags, "--out", out])

    def referee_verify(self, proof, *flags):
        return self.run([self.referee, "verify", proof, *flags])

    def referee_derives(self, flags):
        return self.run([self.referee, "config", *flags]).returncode == 0


def reduction(case):
    """The header's reduction: 0 where another value would change nothing."""
    has_round = case["n"] - case["fold"] > MOST_FINAL_VARIABLES
    wanted = min(case["fold"], 3)
    return wanted if case["reduced"] and has_round and wanted > 1 else 0


def flags_of(case):
    """The same words for both programs."""
    security, grinding = case["level"]
    seed = 1 + case["n"] * 1000 + case["fold"] * 100 + case["rate"] * 10
    return ["--n", case["n"], "--fold", case["fold"], "--rate", case["rate"],
            "--soundness", case["soundness"], "--security", security,
            "--pow", grinding, "--points", case["points"],
            "--order", case["order"], "--mode", case["mode"],
            "--reduction", reduction(case), "--seed", seed]


def pairs_of(case):
    return {(a, case[a], b, case[b])
            for a, b in itertools.combinations(DIMENSIONS, 2)}


def pairwise(tools):
    """Feasible cases that hold each pair of values, then more of them.

    Greedy over seeded samples: the sample with the most pairs still missing
    is taken. Infeasible ones are kept as cases too, but cover nothing.
    """
    generator = random.Random(20261130)
    everything = set()
    for a, b in itertools.combinations(DIMENSIONS, 2):
        everything |= {(a, x, b, y) for x in DIMENSIONS[a]
                       for y in DIMENSIONS[b]}
    cases, seen, feasible = [], set(), 0
    missing = set(everything)
    tries = {}
    while missing or feasible < LEAST_CASES:
        if not missing:
            missing = set(everything) - {p for p in tries if tries[p] > 8}
        wanted = min(missing, key=repr)
        best, best_pairs = None, set()
        for _ in range(40):
            case = {name: generator.choice(values)
                    for name, values in DIMENSIONS.items()}
            case[wanted[0]], case[wanted[2]] = wanted[1], wanted[3]
            covered = pairs_of(case) & missing
            if len(covered) > len(best_pairs):
                best, best_pairs = case, covered
        key = tuple(map(str, flags_of(best)))
        works = tools.referee_derives(flags_of(best))
        if key not in seen:
            cases.append(best)
            feasible += works
        seen.add(key)
        if works:
            missing -= best_pairs
            continue
        # No case with this pair may be feasible: it is given up in the end.
        tries[wanted] = tries.get(wanted, 0) + 1
        if tries[wanted] > 8:
            missing.discard(wanted)
    return cases


def full():
    """The product, the level and the reduction changing from case to case."""
    names = [name for name in DIMENSIONS if name not in ("level", "reduced")]
    for number, values in enumerate(
            itertools.product(*(DIMENSIONS[name] for name in names))):
        case = dict(zip(names, values))
        case["level"] = DIMENSIONS["level"][number % 7 % 4]
        case["reduced"] = number % 3 == 0
        yield case


def refusals(result):
    return (result.stdout + result.stderr).strip()[-400:]


def check_case(tools, case, folder):
    """None, or what went wrong."""
    flags = flags_of(case)
    ours, theirs = folder / "assay.bin", folder / "referee.bin"
    mine = tools.assay_prove(flags, ours)
    peer = tools.referee_prove(flags, theirs)
    if mine.returncode not in (0, 1):
        return f"assay prove ends with {mine.returncode}: {refusals(mine)}"
    if mine.returncode != peer.returncode:
        return (f"assay prove ends with {mine.returncode} ({refusals(mine)}),"
                f" the referee with {peer.returncode} ({refusals(peer)})")
    if mine.returncode == 1:
        return None if not ours.exists() else "an infeasible proof was written"
    claims = ["--check-claims"] if case["mode"] == "given" else []
    judged = tools.referee_verify(ours, *claims)
    if judged.returncode != 0:
        return f"the referee rejects assay's proof: {refusals(judged)}"
    judged = tools.assay_verify(theirs)
    if judged.returncode != 0:
        return f"assay rejects the referee's proof: {refusals(judged)}"
    if ours.read_bytes() != theirs.read_bytes():
        return "the two proofs differ"
    return None


def run_named(tools, name, check):
    with tempfile.TemporaryDirectory() as folder:
        try:
            fault = check(tools, pathlib.Path(folder))
        except OSError as error:
            fault = str(error)
    if fault is not None:
        print(f"FAILED {name}\n  {fault}", flush=True)
    return fault is None


def build_referee():
    environment = dict(os.environ, RUSTFLAGS="-C target-cpu=native")
    subprocess.run(["cargo", "build", "--release", "--locked"],
                   cwd=REFEREE_DIR, env=environment, check=True)
    return REFEREE_DIR / "target" / "release" / "whir-referee"


def select(options, tools):
    """(name, check) for everything that is asked for."""
    if options.cases == "full":
        cases = full()
    else:
        cases = pairwise(tools)
        if options.cases == "smoke":
            cases = cases[:12]
    if options.n20 or options.cases != "smoke":
        cases = itertools.chain(cases, [{
            "order": "prefix", "mode": "given", "soundness": "jb", "fold": 4,
            "rate": 1, "points": 1, "n": 20, "level": (90, 16),
            "reduced": False}])
    for case in cases:
        yield (" ".join(map(str, flags_of(case))),
               lambda tools, folder, case=case: check_case(tools, case,
                                                           folder))
    yield from whir_files.CHECKS


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assay", required=True, type=pathlib.Path)
    parser.add_argument("--referee", type=pathlib.Path,
                        help="built with cargo where absent")
    parser.add_argument("--cases", default="pairwise",
                        choices=["pairwise", "full", "smoke"])
    parser.add_argument("--n20", action="store_true",
                        help="n=20 once (always, but for smoke)")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    referee = options.referee or build_referee()
    tools = Tools(options.assay.resolve(), referee.resolve())
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(
            lambda item: run_named(tools, *item), select(options, tools)))
    print(f"all cases took {time.monotonic() - begin:.0f} s")
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
