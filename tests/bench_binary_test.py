#!/usr/bin/env python3
"""`assay bench binary` from outside: that every curve is there, and refusals.

SPDX-License-Identifier: Apache-2.0
usage: bench_binary_test.py ASSAY-BINARY [unittest arguments]
"""

import csv
import html.parser
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ASSAY = ""
PLACE = ["--device", "cpu", "--threads", "1"]
SMALL = [*PLACE, "--max-bytes", "64KiB", "--max-n", "12", "--runs", "1"]


class Page(html.parser.HTMLParser):
    """Checks that elements close in order, and counts plots and dots."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.figures = self.dots = 0

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        self.figures += tag == "figure"
        self.dots += tag == "circle"

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class BenchBinary(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def check(self, status, *words):
        result = subprocess.run(
            [ASSAY, "bench", "binary", *map(str, words)], cwd=self.folder,
            capture_output=True, text=True, timeout=900, check=False)
        text = result.stdout + result.stderr
        self.assertEqual(result.returncode, status, text)
        if status == 1:
            self.assertTrue(result.stderr.startswith("error: "), text)
        return text

    def test_every_curve_is_measured_and_written(self):
        (self.folder / "others.csv").write_text(
            "figure,curve,x,median_s\nGHASH,somebody's,1024,1e-6\n")
        text = self.check(0, *SMALL, "--out", "a/b", "--with", "others.csv")
        self.assertIn("cpu", text)
        with open(self.folder / "a/b/binary.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        data = json.loads((self.folder / "a/b/binary.json").read_text())
        self.assertEqual(len(rows), len(data["points"]))
        found = {}
        for row in rows:
            self.assertGreater(float(row["median_s"]), 0)
            key = row["figure"], row["curve"]
            found.setdefault(key, []).append(float(row["x"]))
        sizes = [2.0**k for k in range(10, 17)]
        for figure, curve in (("read", "read"), ("GHASH", "GHASH"),
                              ("AES-GCM", "AES-128-GCM"),
                              ("AES-GCM", "AES-256-GCM"), ("CRC", "CRC-32"),
                              ("CRC", "CRC-32C"), ("CRC", "CRC-64")):
            self.assertEqual(found[figure, curve], sizes)
        self.assertEqual(len(found["Reed-Solomon", "Reed-Solomon 10+4"]), 6)
        self.assertIn(("GHASH", "GHASH; portable; one thread"), found)
        for d in range(1, 7):
            self.assertEqual(found["sum-check", f"d={d}"], [10, 12])
        self.assertEqual(found["GHASH", "somebody's"], [1024])
        page = Page()
        text = (self.folder / "a/b/binary.html").read_text(encoding="utf-8")
        page.feed(text)
        self.assertEqual(page.open, [])
        # Four of bytes, sums against n, sums against d.
        self.assertEqual(page.figures, 6)
        self.assertGreaterEqual(page.dots, len(rows))
        self.assertIn("somebody&#39;s", text)
        self.assertNotIn("http", text)

    def test_a_small_budget_ends_the_curves_and_says_so(self):
        text = self.check(0, *PLACE, "--memory", "3MiB", "--max-bytes",
                          "1GiB", "--max-n", 16, "--runs", 1, "--out", "o",
                          "--json")
        data = json.loads(text)
        notes = data["devices"][0]["notes"]
        self.assertTrue(any("end at 2.0 MiB" in n for n in notes), notes)
        self.assertTrue(any("n=16" in n for n in notes), notes)
        self.assertEqual(max(p["x"] for p in data["points"]
                             if p["figure"] == "GHASH"), 1 << 21)

    def test_refusals(self):
        before = sorted(self.folder.rglob("*"))
        self.assertIn("no such", self.check(
            1, *SMALL, "--with", "none.csv").lower())
        self.check(1, "--device", "nothing", "--out", "o")
        self.check(1, *PLACE, "--runs", 0)
        self.check(1, *PLACE, "--max-n", 9)
        self.check(1, *PLACE, "--max-bytes", "x")
        self.check(1, *PLACE, "--max-bytes", "1023")
        (self.folder / "bad.csv").write_text("figure,x\n1,2\n")
        self.assertIn("bad.csv, line 1", self.check(
            1, *SMALL, "--with", "bad.csv"))
        (self.folder / "bad.csv").unlink()
        self.assertEqual(before, sorted(self.folder.rglob("*")))
        (self.folder / "file").write_text("")
        self.check(1, *SMALL, "--out", "file")


if __name__ == "__main__":
    ASSAY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
