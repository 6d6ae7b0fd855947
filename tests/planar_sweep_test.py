#!/usr/bin/env python3
"""assay sweep from outside: answers, statuses, and the files that it leaves.

SPDX-License-Identifier: Apache-2.0
usage: planar_sweep_test.py ASSAY-BINARY [unittest arguments]
"""

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

import planar_cli_test
from planar_cli_test import DATA, FEEDS, RO4350, CliTest

COPPER = {"sigma": 5.8e7, "t": 0.035}


def line(**changes):
    """A 50 ohm line, 20 mm long, of 60 pixels."""
    layout = {
        "units": "mm", "substrate": {"er": 4.4, "h": 1.6}, "pixel": [1, 1],
        "metal": [{"rect": [0, 20, 0, 3]}],
        "ports": [{"axis": "x", "at": 0, "from": 0, "to": 3},
                  {"axis": "x", "at": 20, "from": 0, "to": 3}]}
    layout.update(changes)
    return json.dumps(layout, indent=1)


def gain_of(s):
    """The greatest eigenvalue of S^H S less 1, of two ports."""
    (a, b), (c, d) = [[complex(*x) for x in row] for row in s]
    p, r = abs(a) ** 2 + abs(c) ** 2, abs(b) ** 2 + abs(d) ** 2
    q = a.conjugate() * b + c.conjugate() * d
    return (p + r) / 2 + math.hypot((p - r) / 2, abs(q)) - 1


class SweepTest(CliTest):
    def setUp(self):
        super().setUp()
        self.write("line.json", line())

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def lines_of(self, status, *words):
        out = self.check(status, [], *words, "--json").stdout
        return [json.loads(text) for text in out.splitlines()]

    def read(self, name):
        return (self.folder / name).read_text()

    def data(self, name):
        """The lines of numbers of a Touchstone file."""
        return [[float(word) for word in text.split()]
                for text in self.read(name).splitlines()
                if text and text[0] not in "!#["]


class Frequencies(SweepTest):
    def hz(self, *flags):
        return self.json_of("sweep", "line.json", *flags)["frequency_hz"]

    def test_ranges_and_lists(self):
        self.assertEqual(self.hz("--from", "1GHz", "--to", "2GHz", "--points",
                                 5), [1e9, 1.25e9, 1.5e9, 1.75e9, 2e9])
        self.assertEqual(len(self.hz("--from", "100MHz", "--to", "6e9")), 101)
        log = self.hz("--from", "1M", "--to", "1G", "--points", 4, "--log")
        for found, wanted in zip(log, (1e6, 1e7, 1e8, 1e9)):
            self.assertAlmostEqual(found / wanted, 1, 12)
        self.assertEqual(self.hz("--list", "5 GHz,1GHz,2.4e9"),
                         [1e9, 2.4e9, 5e9])
        self.write("line.json", line(conductor=COPPER))
        self.assertEqual(self.hz("--list", "1GHz", "--dc"), [0, 1e9])

    def test_bad_ones_are_refused(self):
        for said, flags in (
                ("--from is missing", []),
                ("--to is missing", ["--from", "1GHz"]),
                ("--from 0", ["--from", 0, "--to", "1GHz"]),
                ("--dc", ["--list", "0,1GHz"]),
                ("not below", ["--from", "2GHz", "--to", "1GHz"]),
                ("not below", ["--from", "1GHz", "--to", "1GHz"]),
                ("\"1 parsec\"", ["--list", "1 parsec"]),
                ("twice", ["--list", "1GHz,1e9"]),
                ("\"1\" has no unit beside \"2GHz\"", ["--list", "1,2GHz"]),
                ("--list", ["--list", "1GHz,"]),
                ("both", ["--list", "1GHz", "--points", 3]),
                ("both", ["--list", "1GHz", "--from", "1GHz"]),
                ("--points 1", ["--from", 1, "--to", 2, "--points", 1]),
                ("--points x", ["--from", 1, "--to", 2, "--points", "x"])):
            self.refused([said], "sweep", "line.json", "--out", "l.s2p",
                         *flags)


class Answers(SweepTest):
    LIST = ["--list", "1GHz,2GHz,3GHz,4GHz"]

    def test_touchstone(self):
        self.check(0, ["least |S11|", "passed", "l.s2p"], "sweep",
                   "line.json", *self.LIST, "--out", "l.s2p")
        self.assertIn("\n# Hz S RI R 50\n", self.read("l.s2p"))
        rows = self.data("l.s2p")
        self.assertEqual([row[0] for row in rows], [1e9, 2e9, 3e9, 4e9])
        for _, a, b, c, d, e, f, g, h in rows:
            self.assertAlmostEqual(a * a + b * b + c * c + d * d, 1, 8)
            self.assertAlmostEqual(c, e, 10)
            self.assertAlmostEqual(d, f, 10)
            self.assertAlmostEqual(abs(complex(a, b) - complex(g, h)), 0, 8)

    def test_table_without_a_file(self):
        before = self.files()
        text = self.check(0, ["S21 dB"], "sweep", "line.json",
                          *self.LIST).stdout
        self.assertIn("\n         3 GHz ", text)
        self.assertEqual(before, self.files())

    def test_formats(self):
        self.check(0, [], "sweep", "line.json", *self.LIST, "--out", "l.s2p",
                   "--format", "db", "--unit", "GHz")
        self.assertIn("# GHz S DB R 50", self.read("l.s2p"))
        self.assertEqual(self.data("l.s2p")[1][0], 2)
        self.check(0, [], "sweep", "line.json", *self.LIST, "--out", "l.ts")
        self.assertIn("[Version] 2.0", self.read("l.ts"))
        self.refused(["s3p", "2 ports"], "sweep", "line.json", *self.LIST,
                     "--out", "l.s3p")
        self.refused(["1.1"], "sweep", "line.json", *self.LIST, "--out",
                     "l.ts", "--touchstone", "1.1")

    def test_reference_impedances(self):
        sweep = ["sweep", "line.json", *self.LIST]
        self.check(0, [], *sweep, "--zref", 75, "--out", "l.s2p")
        self.assertIn("# Hz S RI R 75", self.read("l.s2p"))
        found = self.json_of(*sweep, "--zref", "50,75", "--out", "l.s2p")
        self.assertEqual(found["z0_ohm"], [50, 75])
        self.assertIn("[Reference] 50 75", self.read("l.s2p"))
        for zref in ("0", "-50", "a", "50,75,100", "50,"):
            self.refused(["--zref"], *sweep, "--zref", zref)
        self.refused(["--touchstone 1.1"], *sweep, "--zref", "50,75", "--out",
                     "m.s2p", "--touchstone", "1.1")

    def test_planes_move_along_the_line(self):
        sweep = ["sweep", "line.json", *self.LIST]
        def angle(*flags):
            s = self.json_of(*sweep, *flags)["s"][0][1][0]
            return math.degrees(math.atan2(s[1], s[0]))
        whole = angle()
        self.assertLess(whole, -40)
        self.assertAlmostEqual(angle("--shift", "5") / whole, 0.53, 1)
        self.assertAlmostEqual(angle("--shift", "10,0") / whole, 0.53, 1)
        self.assertGreater(angle("--shift", "10"), -5)
        self.refused(["--shift"], *sweep, "--shift", "1,2,3")
        self.write("line.json", line(ports=[
            {"kind": "ground", "at": [0.5, 1.5]}]))
        self.refused(["port 1", "edge"], *sweep, "--shift", 1)

    def test_moved_planes_are_checked_again(self):
        self.write("line.json", line(
            substrate={"er": 4.4, "h": 1.6, "tand": 0.02}, conductor=COPPER))
        band = ["--from", "1GHz", "--to", "4GHz", "--points", 13]
        sweep = ["sweep", "line.json", *band]
        still = self.json_of(*sweep, "--shift", "0,0")
        self.assertEqual(still["checks"], self.json_of(*sweep)["checks"])
        files = ["--out", "l.s2p", "--report", "r.html"]
        moved = self.json_of(*sweep, "--shift", "9.9", *files)
        *before, gain = moved["checks"]
        self.assertEqual(
            [check["name"] for check in before],
            ["before the planes moved: " + check["name"]
             for check in still["checks"]])
        self.assertEqual(gain["name"], "reference planes moved: gain")
        # The gain is that of the S which is written.
        worst = max(gain_of(s) for s in moved["s"])
        self.assertGreater(worst, 1e-3)
        self.assertAlmostEqual(gain["value"] / worst, 1, 6)
        warned = [w for w in moved["warnings"] if "not as uniform" in w]
        self.assertEqual(len(warned), 1)
        text = self.check(0, [], *sweep, "--shift", "9.9").stdout
        for place in (self.read("l.s2p"), self.read("r.html"), text):
            self.assertIn("reference planes moved: gain", place)
            self.assertIn("before the planes moved: passivity", place)
            self.assertNotIn("passed passivity", place)
            self.assertIn("9.9, 9.9 mm", place)
        for name in ("l.s2p", "r.html"):
            self.assertIn("not as uniform", self.read(name))

    def test_planes_that_gain_too_much_are_rejected(self):
        self.write("line.json", line(
            substrate={"er": 4.4, "h": 1.6, "tand": 0.02}, conductor=COPPER))
        self.check(2, ["rejected", "reference planes moved: gain",
                       "move the planes less"], "sweep", "line.json",
                   "--from", "1GHz", "--to", "10GHz", "--points", 11,
                   "--shift", 15, "--out", "l.s2p")
        self.assertEqual(os.listdir(self.folder), ["line.json"])

    def test_a_plane_stays_on_its_line(self):
        ends = {"axis": "x", "from": 0, "to": 3}
        ports = [{**ends, "at": 0}, {**ends, "at": 20}]
        whole = [{"rect": [0, 20, 0, 3]}]
        for why, shift, changes in (
                ("", "10", {}), ("", "20,0", {}), ("", "-5", {}),
                ("port 1, as wide as the port, ends 20 mm from it (the metal "
                 "ends", "21,0", {}),
                ("port 2, as wide as the port, ends 8 mm from it (the metal "
                 "is wider", "0,8.5",
                 {"metal": whole + [{"rect": [9, 12, 3, 5]}]}),
                ("", "0,8", {"metal": whole + [{"rect": [9, 12, 3, 5]}]}),
                ("port 1, as wide as the port, ends 4 mm from it (the metal "
                 "is narrower", "5,0",
                 {"metal": whole + [{"rect": [4, 6, 0, 1], "clear": True}]}),
                ("port 1, as wide as the port, ends 0 m from it (the metal "
                 "is wider", "1,0",
                 {"ports": [{**ports[0], "to": 2}, ports[1]]}),
                ("port 1, as wide as the port, ends 3 mm from it (a via",
                 "5,0", {"vias": [{"at": [3.5, 1.5], "diameter": 0.4}]}),
                ("port 1, as wide as the port, ends 6 mm from it (port 3",
                 "7,0,0", {"ports": ports + [
                     {"axis": "y", "at": 0, "from": 6, "to": 7}]})):
            self.write("line.json", line(**changes))
            found = self.json_of("sweep", "line.json", "--list", "100MHz",
                                 f"--shift={shift}")
            said = [w for w in found["warnings"] if "as wide as" in w]
            self.assertEqual(len(said), 1 if why else 0, (why, said))
            if why:
                self.assertIn(why, said[0])

    def test_impedances_and_admittances(self):
        """A line's Z21 and Y21 at once, and none at 0 Hz."""
        sweep = ["sweep", "line.json", "--list", "1GHz", "--dc"]
        found = self.json_of(*sweep, "--csv", "y.csv", "--parameters", "y")
        self.assertEqual((found["y"][0], found["z"][0]), (None, None))
        (a, b), (c, d) = [[complex(*x) for x in row] for row in found["y"][1]]
        z = [[complex(*x) for x in row] for row in found["z"][1]]
        self.assertAlmostEqual(abs(a * z[0][0] + b * z[1][0] - 1), 0, 9)
        self.assertAlmostEqual(abs(c * z[0][0] + d * z[1][0]), 0, 9)
        self.check(0, [], *sweep, "--csv", "z.csv", "--parameters", "z")
        for name, matrix in (("y", found["y"][1]), ("z", found["z"][1])):
            head, dc, row = [text.split(",") for text in
                             self.read(f"{name}.csv").splitlines()]
            self.assertEqual(head[:3] + head[-1:], [
                "frequency_hz", f"{name}11_re", f"{name}11_im",
                "solved_exactly"])
            self.assertEqual(dc[:-1], ["0"] + [""] * 8)
            self.assertEqual([float(x) for x in row[5:7]], matrix[1][0])
        self.refused(["--csv"], *sweep, "--parameters", "y")

    def test_edges_that_moved_are_listed(self):
        self.write("line.json", line(metal=[{"rect": [0, 20.25, 0.125, 3]}]))
        found = self.json_of("sweep", "line.json", *self.LIST)
        moves = {m["key"]: m["moved_m"] for m in found["moves"]}
        self.assertEqual(found["moves_count"], len(moves))
        self.assertEqual(abs(found["moves"][0]["moved_m"]),
                         found["largest_move_m"])
        self.assertAlmostEqual(moves["metal[0].rect[1]"], -0.25e-3, 9)
        self.assertNotIn("metal[0].rect[0]", moves)
        self.check(0, ["edges moved  metal[0].rect[1] by -0.25 mm (25 %"],
                   "sweep", "line.json", *self.LIST)
        exact = json.loads(line())
        self.write("line.json", json.dumps(exact))
        found = self.json_of("sweep", "line.json", *self.LIST)
        self.assertEqual((found["moves"], found["moves_count"]), ([], 0))

    def test_json_names_units(self):
        found = self.json_of("sweep", "line.json", *self.LIST)
        self.assertTrue(found["verified"])
        self.assertTrue(found["checks"])
        self.assertEqual(found["unknowns"], 103)
        self.assertEqual(found["pixel_m"], [1e-3, 1e-3])
        self.assertEqual(len(found["s"]), 4)
        for key in ("z0_ohm", "frequency_hz", "largest_move_m", "exact",
                    "solver", "warnings", "residual"):
            self.assertIn(key, found)
        self.assertGreater(found["costs"]["planned_bytes"], 0)

    def test_a_stub_has_its_notch(self):
        """At 3.323 GHz by openEMS; without dispersion 1.7 % above."""
        shutil.copy(DATA / "stub_fr4.json", self.folder)
        found = self.json_of("sweep", "stub_fr4.json", "--from", "3GHz",
                             "--to", "3.7GHz", "--points", 71)
        size = [abs(complex(*s[1][0])) for s in found["s"]]
        notch = found["frequency_hz"][size.index(min(size))]
        self.assertAlmostEqual(notch / 3.323e9, 1.017, delta=0.006)

    def test_examples_can_be_swept(self):
        folder = DATA.parent.parent / "examples" / "planar"
        layouts = sorted(folder.glob("*.json"))
        self.assertEqual(len(layouts), 3)
        found = self.lines_of(0, "sweep", *layouts, "--list", "1GHz,3GHz")
        self.assertEqual([f["verified"] for f in found], [True] * 3)

    def test_a_model_is_as_good_as_solving_everything(self):
        """By either solver, and within the memory that was planned."""
        folder = DATA.parent.parent / "examples" / "planar"
        sweep = ["--from", "100MHz", "--to", "6GHz", "--points", 21]
        with open(planar_cli_test.ASSAY, "rb") as program:
            sanitized = b"__asan_init" in program.read()
        if sanitized:
            print("peaks are not compared: a sanitizer's memory is its own")
        for layout in sorted(folder.glob("*.json")):
            for solver in ("fast", "dense"):
                words = ["sweep", layout, *sweep, "--solver", solver]
                # Of one layout: a process's peak only grows.
                model = self.json_of(*words, "--tol", "1e-6")
                direct = self.json_of(*words, "--tol", "1e-6", "--direct")
                self.assertLess(len(model["exact"]), 21)
                self.assertEqual(len(direct["exact"]), 21)
                for s, t in zip(model["s"], direct["s"]):
                    for x, y in zip(sum(s, []), sum(t, [])):
                        self.assertLess(abs(complex(*x) - complex(*y)), 1e-6,
                                        (layout, solver))
                for found in () if sanitized else (model, direct):
                    costs = found["costs"]
                    self.assertLessEqual(costs["peak_bytes"],
                                         costs["planned_bytes"],
                                         (layout, solver))

    def test_a_gerber_becomes_a_plot(self):
        self.copy("lowpass.gbr")
        self.check(0, [], "import", "lowpass.gbr", "--pixel", 0.2, *RO4350,
                   *FEEDS, "--out", "f.json")
        found = self.json_of("sweep", "f.json", "--list", "0.5GHz,8GHz")
        size = [abs(complex(*s[1][0])) for s in found["s"]]
        self.assertGreater(size[0], 0.9)
        self.assertLess(size[1], 0.5)


class Batch(SweepTest):
    LIST = ["--list", "1GHz,2GHz"]

    def setUp(self):
        super().setUp()
        self.write("other.json", line(pixel=[1, 1.5]))
        self.write("bad.json", line(units="furlong"))

    def test_one_failure_does_not_stop_the_others(self):
        (self.folder / "out").mkdir()
        found = self.lines_of(1, "sweep", "line.json", "bad.json",
                              "none.json", "other.json", *self.LIST, "--out",
                              "out")
        self.assertEqual([f["layout"] for f in found], [
            "line.json", "bad.json", "none.json", "other.json"])
        self.assertIn("bad.json:2", found[1]["error"]["what"])
        self.assertIn("none.json", found[2]["error"]["what"])
        self.assertTrue(found[3]["verified"])
        self.assertEqual(sorted(os.listdir(self.folder / "out")),
                         ["line.s2p", "other.s2p"])
        self.check(1, ["error: bad.json:2: units", "mm, um"], "sweep",
                   "line.json", "bad.json", *self.LIST)

    def test_places(self):
        self.check(0, [], "sweep", "line.json", "other.json", *self.LIST,
                   "--out", "a_{name}.s{ports}p", "--csv", "{name}.csv")
        self.assertEqual(len(self.data("a_other.s2p")), 2)
        self.assertIn("frequency_hz", self.read("line.csv"))
        batch = ["sweep", "line.json", "other.json", *self.LIST]
        self.refused(["one file for 2"], *batch, "--out", "x.s2p")
        self.refused(["one file for 2"], *batch, "--trace", "x.json")
        self.refused(["{name} and {ports}"], "sweep", "line.json", *self.LIST,
                     "--out", "{nme}.s2p")
        (self.folder / "deep").mkdir()
        self.write("deep/line.json", line())
        self.refused(["same file"], "sweep", "line.json", "deep/line.json",
                     *self.LIST, "--out", "{name}.s2p")


class Outputs(SweepTest):
    LIST = ["--list", "1GHz,2GHz"]

    def test_inputs_are_not_overwritten(self):
        sweep = ["sweep", "line.json", *self.LIST]
        (self.folder / "here").symlink_to(self.folder)
        for flag in ("--csv", "--report", "--trace"):
            self.refused([flag, "same file"], *sweep, flag, "line.json")
            self.refused([flag, "same file"], *sweep, flag, "here/line.json")
            self.refused([flag, "--out", "same file"], *sweep, flag, "x.s2p",
                         "--out", "./x.s2p")
        os.link(self.folder / "line.json", self.folder / "line.s2p")
        self.refused(["--out line.s2p", "line.json"], *sweep, "--out",
                     "line.s2p")
        self.copy("corner.png")
        self.write("mask.json", line(metal=[{"mask": "corner.png"}], ports=[
            {"kind": "ground", "at": [0.5, 0.5]}]))
        self.refused(["mask corner.png"], "sweep", "mask.json", *self.LIST,
                     "--trace", "corner.png")

    def test_unwritable_is_noticed_before_the_work(self):
        sweep = ["sweep", "line.json", "--from", 1, "--to", "9GHz",
                 "--points", 1000000, "--direct"]
        for flag in ("--csv", "--report", "--trace"):
            self.refused(["no/such"], *sweep, flag, "no/such/file")
        self.refused(["no/such"], *sweep, "--out", "no/such/l.s2p")
        self.refused(["no/such"], *sweep, "--pictures", "no/such/folder")
        self.refused(["line.json"], *sweep, "--pictures", "line.json")

    def test_all_or_none(self):
        self.write("l.s2p", "old")
        self.refused(["/dev/full"], "sweep", "line.json", *self.LIST, "--out",
                     "l.s2p", "--trace", "/dev/full", "--pictures", "made")

    def test_pictures(self):
        self.check(0, [], "sweep", "line.json", *self.LIST, "--currents",
                   "--fields-at", "1GHz")
        names = sorted(os.listdir(self.folder / "currents"))
        self.assertEqual(names, [
            f"line_{kind}_port{port}_1GHz.png"
            for kind in ("charge", "current") for port in (1, 2)])
        for name in names:
            data = (self.folder / "currents" / name).read_bytes()
            self.assertTrue(data.startswith(b"\x89PNG"))
        self.write("line.json", line(conductor=COPPER))
        self.check(0, [], "sweep", "line.json", "--list", "1GHz,2GHz,3GHz",
                   "--dc", "--pictures", "p")
        named = "".join(os.listdir(self.folder / "p"))
        self.assertIn("1GHz", named)
        self.assertIn("3GHz", named)
        self.assertNotIn("DC", named)
        self.refused(["--currents"], "sweep", "line.json", *self.LIST,
                     "--fields-at", "1GHz")
        self.refused(["outside"], "sweep", "line.json", *self.LIST,
                     "--currents", "--fields-at", "5GHz")

    def test_pictures_have_names_of_their_own(self):
        near = ["--list", "1GHz,1000000001", "--fields-at", "1GHz,1000000001"]
        found = self.json_of("sweep", "line.json", *near, "--pictures", "p")
        self.assertEqual(sorted(os.listdir(self.folder / "p")), sorted(
            f"line_{kind}_port{port}_{at}.png"
            for kind in ("charge", "current") for port in (1, 2)
            for at in ("1GHz", "1.000000001GHz")))
        self.assertEqual(len(found["written"]), 8)
        (self.folder / "deep").mkdir()
        self.write("deep/line.json", line())
        self.refused(["--pictures", "same name", "deep/line.json"], "sweep",
                     "line.json", "deep/line.json", *self.LIST, "--pictures",
                     "p")
        self.refused(["name of a picture of line.json"], "sweep", "line.json",
                     *self.LIST, "--pictures", "p", "--csv",
                     "./p/line_current_port1_1GHz.png")

    def test_report_and_trace(self):
        self.check(0, [], "sweep", "line.json", *self.LIST, "--report",
                   "r.html", "--trace", "t.json", "--currents")
        page = self.read("r.html")
        self.assertIn("line.json", page)
        for part in ("http:", "https:", "<link"):
            self.assertNotIn(part, page.replace("http://www.w3.org/", ""))
        self.assertTrue(json.loads(self.read("t.json"))["traceEvents"])
        self.assertFalse((self.folder / "currents").exists())

    def test_bad_layouts_are_named_with_line_and_key(self):
        ports = json.loads(line())["ports"]
        for said, changes in (
                ("ports[1].at", {"ports": [ports[0], {**ports[1], "at": 9}]}),
                ("substrate.er", {"substrate": {"er": 0.5, "h": 1}}),
                ("ports", {"ports": []}), ("colour", {"colour": 1})):
            self.write("bad.json", line(**changes))
            self.refused(["bad.json:", said], "sweep", "bad.json", *self.LIST,
                         "--out", "l.s2p")
        self.write("bad.json", "{")
        self.refused(["bad.json:"], "sweep", "bad.json", *self.LIST)

    def test_memory_is_a_limit(self):
        self.refused(["line.json"], "sweep", "line.json", *self.LIST,
                     "--memory", "10KiB", "--out", "l.s2p")

    def test_interrupt_leaves_nothing_beside(self):
        process = subprocess.Popen(
            [planar_cli_test.ASSAY, "sweep", DATA / "notch_ro4350.json",
             "--from", "1MHz", "--to", "7GHz", "--points", "400",
             "--direct", "--out", "l.s2p"],
            cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=600)[1]
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("cancelled", said)
        self.assertEqual(os.listdir(self.folder), ["line.json"])


if __name__ == "__main__":
    planar_cli_test.ASSAY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
