#!/usr/bin/env python3
"""assay import from outside: what it says, and the layouts it leaves.

SPDX-License-Identifier: Apache-2.0
usage: planar_cli_test.py ASSAY-BINARY [unittest arguments]
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ASSAY = ""
DATA = pathlib.Path(__file__).resolve().parent.parent / "testdata" / "planar"
RO4350 = ["--er", 3.66, "--height", 0.254]
FEEDS = ["--port", "edge,x,-7,-0.3,0.3", "--port", "edge,x,7,-0.3,0.3"]


class CliTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def check(self, status, said, *words):
        """Runs, compares the status, looks for each part of the text."""
        result = subprocess.run(
            [ASSAY, *map(str, words)], cwd=self.folder, capture_output=True,
            text=True, timeout=600, check=False)
        text = result.stdout + result.stderr
        self.assertEqual(result.returncode, status, text)
        for part in said:
            self.assertIn(part, text)
        return result

    def refused(self, said, *words):
        """Exit 1 with an error, and the folder is as it was."""
        before = self.files()
        result = self.check(1, said, *words)
        self.assertTrue(result.stderr.startswith("error: "), result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(before, self.files())

    def files(self):
        return {path: path.read_bytes() if path.is_file() else None
                for path in self.folder.rglob("*")}

    def copy(self, name):
        shutil.copy(DATA / name, self.folder)
        return name

    def json_of(self, *words):
        return json.loads(self.check(0, [], *words, "--json").stdout)


class Import(CliTest):
    def setUp(self):
        super().setUp()
        self.copy("lowpass.gbr")

    def test_a_look_writes_nothing_and_names_ports(self):
        before = self.files()
        self.check(0, ["x -7..7, y -2..2", "140 x 40", "not written",
                       "metal meets x = -7 between y = -0.3 and 0.3 mm: "
                       "--port edge,x,-7,-0.3,0.3"],
                   "import", "lowpass.gbr", "--pixel", 0.1)
        self.assertEqual(before, self.files())

    def test_named_ports_make_a_layout(self):
        found = self.json_of("import", "lowpass.gbr", "--pixel", 0.1)
        self.assertEqual(found["pixels"], [140, 40])
        ports = [p["port"] for p in found["possible_ports"] if p["is_end"]]
        self.assertEqual(ports[:2], ["edge,x,-7,-0.3,0.3",
                                     "edge,x,7,-0.3,0.3"])
        flags = [word for port in ports[:2] for word in ("--port", port)]
        made = self.json_of("import", "lowpass.gbr", "--pixel", 0.1, *RO4350,
                            *flags, "--sigma", 5.8e7, "--thickness", 0.017,
                            "--tand", 0.004, "--out", "l.json")
        self.assertGreater(made["unknowns"], 2000)
        self.assertEqual(made["metal_pixels"], found["metal_pixels"])
        layout = json.loads((self.folder / "l.json").read_text())
        self.assertEqual(layout["units"], "mm")
        self.assertEqual(layout["substrate"],
                         {"er": 3.66, "tand": 0.004, "h": 0.254})
        self.assertEqual(layout["conductor"]["t"], 0.017)
        self.assertEqual([p["at"] for p in layout["ports"]], [-7, 7])

    def test_units_are_converted(self):
        mil = self.json_of("import", "lowpass.gbr", "--units", "mil",
                           "--pixel", 4)
        self.assertEqual(mil["units"], "mil")
        box = [round(1e6 * x) for x in mil["bounding_box_m"]]
        self.assertEqual(box, [-7000, 7000, -2000, 2000])

    def test_a_pixel_that_moves_no_edge_is_proposed(self):
        coarse = self.json_of("import", "lowpass.gbr", "--pixel", 0.25)
        self.assertGreater(coarse["largest_move_m"], 1e-5)
        self.assertEqual(coarse["fitting_pixel"], "0.1")
        fine = self.json_of("import", "lowpass.gbr", "--pixel",
                            coarse["fitting_pixel"])
        self.assertLess(fine["largest_move_m"], 1e-9)
        self.assertGreater(fine["stairs"], 0)

    def test_crop(self):
        found = self.json_of("import", "lowpass.gbr", "--pixel", 0.1, "--crop",
                             "-6:0,-2:0.5")
        box = [round(1e6 * x) for x in found["bounding_box_m"]]
        self.assertEqual(box, [-6000, -800, -2000, 500])
        for crop in ("1:2", "2:1,0:1", "a:b,c:d", "0:1,0:1:2", "50:60,0:1"):
            self.refused(["--crop"], "import", "lowpass.gbr", "--pixel", 0.1,
                         "--crop", crop)

    def test_round_end_is_told(self):
        found = self.json_of("import", self.copy("two_apertures.gbr"),
                             "--pixel", 0.1)
        self.assertTrue([p for p in found["possible_ports"]
                         if p["is_round"] and ",13.5," in p["port"]])

    def test_mask(self):
        self.copy("corner.png")
        (self.folder / "deep").mkdir()
        made = self.json_of("import", "corner.png", "--pixel", "0.5,0.4",
                            *RO4350, "--port", "ground,0.75,0.2", "--out",
                            "deep/l.json")
        self.assertEqual(made["pixels"], [3, 2])
        layout = json.loads((self.folder / "deep" / "l.json").read_text())
        self.assertEqual(layout["metal"][0]["mask"], "../corner.png")
        self.refused(["--crop"], "import", "corner.png", "--pixel", 1,
                     "--crop", "0:1,0:1")
        self.refused(["--pixel"], "import", "corner.png")

    def test_missing_flags_are_named(self):
        self.refused(["--pixel is missing", "14 x 4 mm", "--pixel 0.1"],
                     "import", "lowpass.gbr")
        make = ["import", "lowpass.gbr", "--pixel", 0.1, "--out", "l.json"]
        self.refused(["--er"], *make, "--height", 1, *FEEDS)
        self.refused(["--height"], *make, "--er", 2, *FEEDS)
        self.refused(["--port", "edge,x,-7,-0.3,0.3"], *make, *RO4350)
        self.refused(["--thickness"], *make, *RO4350, *FEEDS, "--sigma", 1e7)
        self.refused(["--sigma"], *make, *RO4350, *FEEDS, "--thickness", 1)

    def test_bad_values_are_refused(self):
        make = ["import", "lowpass.gbr", "--out", "l.json"]
        for pixel in ("0", "-1", "a", "1,2,3", "1,0", "nan"):
            self.refused(["--pixel"], *make, "--pixel", pixel, *RO4350, *FEEDS)
        make += ["--pixel", 0.1]
        self.refused(["--er 0.5"], *make, "--er", 0.5, "--height", 1, *FEEDS)
        for port in ("edge", "edge,z,1,2,3", "edge,x,1,2", "edge,1,2",
                     "side,x,1,2,3", "edge,x,1,2,3,50,6", "gap,x,a,2,3"):
            self.refused([f"--port {port}"], *make, *RO4350, "--port", port)
        self.refused(["--port edge,x,3,0,1", "inside"], *make, *RO4350,
                     *FEEDS[:2], "--port", "edge,x,3,0,1")
        self.refused(["--via 1,2"], *make, *RO4350, *FEEDS, "--via", "1,2")
        self.refused(["pixels"], *make[:-1], 1e-5, *RO4350, *FEEDS)

    def test_broken_files_are_named_with_their_line(self):
        text = (self.folder / "lowpass.gbr").read_text()
        (self.folder / "bad.gbr").write_text(text.replace("D11*", "D12*"))
        self.refused(["bad.gbr:18", "D12"], "import", "bad.gbr", "--pixel",
                     0.1)
        (self.folder / "cut.gbr").write_text(text[:-5])
        self.refused(["cut.gbr", "M02"], "import", "cut.gbr", "--pixel", 0.1)
        self.refused(["none.gbr"], "import", "none.gbr", "--pixel", 0.1)
        (self.folder / "bad.png").write_bytes(
            (DATA / "corner.png").read_bytes()[:40])
        self.refused(["bad.png"], "import", "bad.png", "--pixel", 0.1)

    def test_the_board_is_not_overwritten(self):
        make = ["import", "lowpass.gbr", "--pixel", 0.1, *RO4350, *FEEDS]
        self.refused(["board"], *make, "--out", "./lowpass.gbr")
        self.refused(["no/such"], *make, "--out", "no/such/l.json")


if __name__ == "__main__":
    ASSAY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
