#!/usr/bin/env python3
"""`assay sumcheck` from outside: statuses, messages, and files it leaves.

SPDX-License-Identifier: Apache-2.0
usage: sumcheck_test.py ASSAY-BINARY [unittest arguments]
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ASSAY = ""
DATA = (pathlib.Path(__file__).resolve().parent.parent / "testdata" /
        "binary" / "sumcheck")
POLYNOMIAL = 1 << 128 | 0x87
MASK = (1 << 64) - 1


def mix(seed, t):
    z = (seed + (t + 1) * 0x9E3779B97F4A7C15) & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def element(seed, i):
    return mix(seed, 2 * i) | mix(seed, 2 * i + 1) << 64


def multiply(a, b):
    product = 0
    for bit in range(128):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(254, 127, -1):
        if product >> bit & 1:
            product ^= POLYNOMIAL << bit - 128
    return product


class SumcheckTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def check(self, status, said, *words):
        """Runs, compares the status, looks for each part of the text."""
        result = subprocess.run(
            [ASSAY, "sumcheck", *map(str, words)], cwd=self.folder,
            capture_output=True, text=True, timeout=600, check=False)
        text = result.stdout + result.stderr
        self.assertEqual(result.returncode, status, text)
        for part in said:
            self.assertIn(part, text)
        if status == 1:
            self.assertTrue(result.stderr.startswith("error: "), text)
        return result

    def refused(self, said, *words):
        """Exit 1, and the folder is as it was."""
        before = sorted(self.folder.rglob("*"))
        self.check(1, said, *words)
        self.assertEqual(before, sorted(self.folder.rglob("*")))

    def path(self, name, data=b""):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def columns(self, n, d, seed=5):
        """Files of columns and their elements."""
        elements = [[element(seed, j << n | i) for i in range(1 << n)]
                    for j in range(d)]
        paths = [self.path(f"column{j}", b"".join(
            x.to_bytes(16, "little") for x in column))
            for j, column in enumerate(elements)]
        return paths, elements


class References(SumcheckTest):
    def test_generated_instances_byte_for_byte(self):
        for row in json.loads((DATA / "sumcheck.json").read_text()):
            if row["n"] > 16:
                continue
            for threads in (1, 2):
                self.check(0, ["accepted", row["sum"]], "prove", "--seed",
                           row["seed"], "--n", row["n"], "--d", row["d"],
                           "--out", "p.bin", "--threads", threads)
                self.assertEqual((self.folder / "p.bin").read_bytes(),
                                 (DATA / row["file"]).read_bytes())

    def test_reference_files_are_accepted_and_only_of_their_seed(self):
        for row in json.loads((DATA / "sumcheck.json").read_text()):
            if row["n"] > 16:
                continue
            file = DATA / row["file"]
            self.check(0, ["accepted", row["seed"]], "verify", file)
            self.check(0, ["accepted"], "verify", file, "--seed", row["seed"])
            self.check(2, ["rejected", "context"], "verify", file, "--seed",
                       int(row["seed"]) ^ 1)

    def test_forgeries_are_rejected(self):
        for file in sorted(DATA.glob("bad_sum_*.bin")):
            self.check(2, ["rejected", "claim"], "verify", file)
            self.check(2, ["rejected"], "verify", file, "--transcript-only")
        file = DATA / "bad_scaled_evals_n4_d2.bin"
        self.check(2, ["rejected", "values"], "verify", file)
        result = self.check(0, [], "verify", file, "--transcript-only",
                            "--json")
        answer = json.loads(result.stdout)
        self.assertFalse(answer["decided"] or answer["accepted"])
        self.check(0, ["reduced", "nobody checked"], "verify", file,
                   "--transcript-only")


class Files(SumcheckTest):
    def test_columns_of_files(self):
        paths, elements = self.columns(4, 3)
        result = self.check(0, [], "prove", "--columns", *paths, "--json",
                            "--out", "p.bin")
        statement = json.loads(result.stdout)["statement"]
        total = 0
        for a, b, c in zip(*elements):
            total ^= multiply(multiply(a, b), c)
        self.assertEqual(statement["sum"], total.to_bytes(16, "little").hex())
        context = hashlib.sha256(b"".join(
            hashlib.sha256(path.read_bytes()).digest() for path in paths))
        self.assertEqual(statement["context"], context.hexdigest())
        self.check(0, ["accepted"], "verify", "p.bin", "--columns", *paths)
        self.check(2, ["context"], "verify", "p.bin", "--columns",
                   *paths[::-1])
        self.check(2, ["columns"], "verify", "p.bin", "--columns", *paths[1:])
        self.check(1, ["--columns"], "verify", "p.bin")
        changed = bytearray(paths[1].read_bytes())
        changed[77] ^= 4
        paths[1].write_bytes(changed)
        self.check(2, ["context"], "verify", "p.bin", "--columns", *paths)

    def test_one_file_may_be_several_columns(self):
        paths, elements = self.columns(3, 1)
        self.check(0, [], "prove", "--columns", paths[0], paths[0], "--out",
                   "p.bin")
        total = 0
        for x in elements[0]:
            total ^= multiply(x, x)
        self.assertEqual((self.folder / "p.bin").read_bytes()[32:48],
                         total.to_bytes(16, "little"))

    def test_context_by_pieces_of_a_mebibyte(self):
        data = bytes(range(256)) * (3 << 12)  # 3 MiB: no power of two
        path = self.path("a", data)
        self.refused(["power of two"], "prove", "--columns", path)
        data = data[:1 << 21]
        path.write_bytes(data)
        result = self.check(0, [], "prove", "--columns", path, "--json")
        pieces = b"".join(hashlib.sha256(data[k:k + (1 << 20)]).digest()
                          for k in (0, 1 << 20))
        self.assertEqual(json.loads(result.stdout)["statement"]["context"],
                         hashlib.sha256(pieces).hexdigest())


class BadProofs(SumcheckTest):
    def rejected(self, data, said):
        self.path("bad.bin", bytes(data))
        self.check(2, ["rejected", *said], "verify", "bad.bin")

    def test_damaged_files(self):
        data = (DATA / "sc_n3_d2.bin").read_bytes()
        for length in [0, 1, 16, 79, 80, 81, len(data) - 1]:
            self.rejected(data[:length], ["format"])
        self.rejected(data + b"\0", ["format"])
        self.rejected(data + bytes(16), ["format"])
        self.rejected(data * 40, ["format"])
        self.rejected(b"assay/sumcheck/2" + data[16:], ["format"])
        for at, value in [(16, 0), (16, 41), (24, 0), (24, 7), (23, 1)]:
            changed = bytearray(data)
            changed[at] = value
            self.rejected(changed, ["format"])

    def test_flipped_bits(self):
        data = (DATA / "sc_n3_d2.bin").read_bytes()
        for i in range(60):
            at = 32 + i * (len(data) - 33) // 59
            changed = bytearray(data)
            changed[at] ^= 1 << i % 8
            self.path("bad.bin", bytes(changed))
            # A context that names no seed asks for the columns' files.
            named = at < 48 or at >= 80 or 64 <= at < 72
            self.check(2 if named else 1, [], "verify", "bad.bin")
            self.check(2, ["rejected"], "verify", "bad.bin", "--seed", 1032)

    def test_a_claim_can_be_named(self):
        self.check(0, [], "prove", "--seed", 7, "--n", 3, "--d", 2, "--out",
                   "p")
        claimed = json.loads(subprocess.run(
            [ASSAY, "sumcheck", "verify", "p", "--json"], cwd=self.folder,
            capture_output=True, check=True).stdout)["statement"]["sum"]
        same = ("--seed", 7, "--n", 3, "--d", 2, "--sum", claimed.upper())
        self.check(0, ["accepted"], "verify", "p", *same)
        for said, flags in (("n is 3, not 4", ("--n", 4)),
                            ("d is 2, not 1", ("--d", 1)),
                            ("the sum is", ("--sum", "0" * 32))):
            self.check(2, ["claim", said], "verify", "p", *flags)
            self.check(2, [said], "verify", "p", "--transcript-only", *flags)
        self.check(1, ["is no element"], "verify", "p", "--sum", "ff")

    def test_oversized(self):
        path = self.path("bad.bin", (DATA / "sc_n3_d2.bin").read_bytes())
        os.truncate(path, 1 << 30)  # sparse
        self.check(2, ["rejected", "format"], "verify", path)


class BadCommands(SumcheckTest):
    def test_ranges(self):
        for n, d in [(0, 2), (41, 2), (5, 0), (5, 7), (-1, 1)]:
            self.refused([], "prove", "--seed", 1, "--n", n, "--d", d)

    def test_columns_are_named_once(self):
        self.refused(["no columns"], "prove")
        self.refused(["--n and --d"], "prove", "--seed", 1, "--n", 4)
        paths, _ = self.columns(2, 2)
        self.refused(["both"], "prove", "--seed", 1, "--columns", *paths)
        self.refused(["n=2, d=2"], "prove", "--n", 3, "--columns", *paths)
        self.refused(["seed"], "prove", "--seed", "x", "--n", 2, "--d", 1)

    def test_bad_columns(self):
        paths, _ = self.columns(2, 1)
        self.refused(["differ in size"], "prove", "--columns", paths[0],
                     self.path("b", bytes(32)))
        for size in (0, 15, 16, 48, 33):
            self.refused(["power of two"], "prove", "--columns",
                         self.path("b", bytes(size)))
        self.refused(["none"], "prove", "--columns", "none")
        self.refused([], "prove", "--columns", self.folder)
        self.refused(["7 columns"], "prove", "--columns", *paths * 7)

    def test_over_budget_is_refused_before_any_work(self):
        self.refused(["budget", "n=15"], "prove", "--seed", 1, "--n", 20,
                     "--d", 2, "--memory", "1100KiB")
        self.refused(["budget"], "prove", "--seed", 1, "--n", 40, "--d", 6)

    def test_outputs(self):
        paths, _ = self.columns(2, 2)
        before = paths[0].read_bytes()
        self.refused(["would be written"], "prove", "--columns", *paths,
                     "--out", paths[0])
        self.assertEqual(paths[0].read_bytes(), before)
        self.refused(["No such file"], "prove", "--columns", *paths, "--out",
                     "none/p.bin")
        self.refused(["same file"], "prove", "--columns", *paths, "--out",
                     "p.bin", "--trace", "./p.bin")

    def test_proofs_do_not_go_to_standard_output_or_a_full_disk(self):
        words = ["prove", "--seed", 1, "--n", 4, "--d", 2]
        self.refused(["standard output"], *words, "--out", "-")
        self.refused(["standard output"], *words, "--trace", "-")
        self.path("p.bin", b"old")
        self.refused(["No space"], *words, "--out", "/dev/full")
        self.refused(["No space"], *words, "--out", "p.bin", "--trace",
                     "/dev/full")
        self.assertEqual((self.folder / "p.bin").read_bytes(), b"old")

    def test_large_proofs_are_not_evaluated_unasked(self):
        self.check(1, ["--max-n"], "verify", DATA / "sc_n16_d2.bin",
                   "--max-n", 15)
        self.check(0, ["accepted"], "verify", DATA / "sc_n16_d2.bin",
                   "--max-n", 16)

    def test_missing_proof(self):
        self.refused(["none.bin"], "verify", "none.bin")
        self.refused(["looks at no column"], "verify", DATA / "sc_n3_d2.bin",
                     "--transcript-only", "--seed", 1)

    def test_answer_in_json(self):
        result = self.check(0, [], "prove", "--seed", 3, "--n", 8, "--d", 4,
                            "--json", "--trace", "t.json", "--out", "p.bin")
        answer = json.loads(result.stdout)
        self.assertEqual(answer["proof_bytes"], 80 + 16 * 4 * 9)
        self.assertEqual(answer["device_peak_bytes"],
                         answer["planned_peak_bytes"])
        self.assertEqual(answer["statement"]["seed"], "3")
        self.assertIn("product_sumcheck.fold",
                      (self.folder / "t.json").read_text())
        result = self.check(0, [], "verify", "p.bin", "--json")
        answer = json.loads(result.stdout)
        self.assertTrue(answer["accepted"] and answer["decided"])


if __name__ == "__main__":
    ASSAY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
