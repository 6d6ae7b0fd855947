#!/usr/bin/env python3
"""The line command from outside: numbers, units, and what it refuses.

SPDX-License-Identifier: Apache-2.0
usage: line_test.py ASSAY-BINARY [unittest arguments]
"""

import json
import math
import os
import subprocess
import sys
import unittest

ASSAY = ""
FR4 = ["--er", 4.4, "--height", 1.6]
COPPER = ["--sigma", 5.8e7, "--thickness", 0.035]


class LineTest(unittest.TestCase):
    def run_line(self, *words):
        return subprocess.run(
            [ASSAY, "line", *map(str, words)], capture_output=True, text=True,
            timeout=60, check=False)

    def text_of(self, *words):
        result = self.run_line(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def json_of(self, *words):
        return json.loads(self.text_of(*words, "--json"))

    def refused(self, said, *words):
        """Exit 1, nothing on stdout, and each part of the text is there."""
        result = self.run_line(*words)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertEqual(result.stdout, "")
        self.assertTrue(result.stderr.startswith("error: "), result.stderr)
        for part in said:
            self.assertIn(part, result.stderr)


class Answers(LineTest):
    def test_single_strip(self):
        answer = self.json_of(*FR4, "--width", 3)
        (mode,) = answer["modes"]
        self.assertAlmostEqual(mode["z0_ohm"], 50.614, 2)
        self.assertAlmostEqual(mode["eps_eff"], 3.3259, 3)
        self.assertAlmostEqual(
            mode["delay_s_per_m"] * 299792458, math.sqrt(mode["eps_eff"]), 6)
        self.assertAlmostEqual(
            math.sqrt(mode["inductance_h_per_m"] /
                      mode["capacitance_f_per_m"]), mode["z0_ohm"], 9)
        self.assertNotIn("waves", mode)
        text = self.text_of(*FR4, "--width", 3)
        for part in ("50.614 ohm", "3.3259", "pF/m", "nH/m", "ps/mm"):
            self.assertIn(part, text)

    def test_units_are_of_every_length(self):
        expected = self.json_of("--er", 4.4, "--height", 1.6, "--width", 3,
                                *COPPER, "--frequency", "1GHz")
        for unit, scale in (("um", 1e-3), ("mil", 0.0254), ("inch", 25.4),
                            ("in", 25.4), ("m", 1e3)):
            answer = self.json_of(
                "--er", 4.4, "--height", 1.6 / scale, "--width", 3 / scale,
                "--sigma", 5.8e7, "--thickness", 0.035 / scale, "--units",
                unit, "--frequency", 1e9)
            wave = answer["modes"][0]["waves"][0]
            for key, value in expected["modes"][0]["waves"][0].items():
                if key != "z0_ohm":
                    self.assertAlmostEqual(wave[key] / value, 1, 9)

    def test_pair_has_two_modes(self):
        pair = ["--er", 4.4, "--height", 1.6, "--strips", "0:3,4:7"]
        answer = self.json_of(*pair)
        modes = {mode["mode"]: mode for mode in answer["modes"]}
        # testdata/planar/coupled_lines_2d.json
        self.assertAlmostEqual(modes["even"]["z0_ohm"] / 58.3790, 1, 4)
        self.assertAlmostEqual(modes["odd"]["z0_ohm"] / 41.2791, 1, 4)
        self.assertAlmostEqual(modes["even"]["eps_eff"] / 3.57069, 1, 4)
        self.assertAlmostEqual(modes["odd"]["eps_eff"] / 2.96753, 1, 4)
        (c11, c12), (c21, _) = answer["capacitance_f_per_m"]
        self.assertAlmostEqual(c12 / c21, 1, 12)
        self.assertAlmostEqual((c11 + c12) /
                               modes["even"]["capacitance_f_per_m"], 1, 9)
        text = self.text_of(*pair)
        for part in ("even Z0", "odd Z0", "differential", "82.55", "C' pF/m"):
            self.assertIn(part, text)

    def test_place_of_the_strips_does_not_count(self):
        self.assertEqual(self.text_of(*FR4, "--strips", "0:3,4:7"),
                         self.text_of(*FR4, "--strips=-3.5:-0.5,0.5:3.5"))
        self.assertEqual(self.text_of(*FR4, "--strips", "0:3"),
                         self.text_of(*FR4, "--width", "3"))

    def test_other_strips_have_matrices(self):
        answer = self.json_of(*FR4, "--strips", "0:1,2:4,5:6")
        self.assertEqual(answer["modes"], [])
        matrix = answer["inductance_h_per_m"]
        self.assertEqual([len(row) for row in matrix], [3, 3, 3])
        # The strips are symmetric from left to right.
        self.assertAlmostEqual(matrix[0][0] / matrix[2][2], 1, 9)
        self.assertIn("L' nH/m", self.text_of(*FR4, "--strips", "0:1,2:4"))

    def test_losses(self):
        flags = [*FR4, "--width", 3, "--frequency", "3GHz, 1GHz"]

        def alpha(*more):
            waves = self.json_of(*flags, *more)["modes"][0]["waves"]
            self.assertEqual([wave["frequency_hz"] for wave in waves],
                             [3e9, 1e9])
            return [wave["alpha_db_per_m"] for wave in waves]

        self.assertAlmostEqual(alpha()[0], 0, 9)
        dielectric = alpha("--tand", 0.02)
        # pi f/c tand er/sqrt(eps) (eps - 1)/(er - 1), which takes eps_eff as
        # linear over er.
        eps = 3.3259
        linear = (20 / math.log(10) * math.pi * 3e9 / 299792458 * 0.02 * 4.4 /
                  math.sqrt(eps) * (eps - 1) / 3.4)
        self.assertAlmostEqual(dielectric[0] / linear, 1, delta=0.02)
        self.assertAlmostEqual(dielectric[0] / dielectric[1], 3, 6)
        metal = alpha(*COPPER)
        # The skin effect.
        self.assertAlmostEqual(metal[0] / metal[1], math.sqrt(3), 2)
        self.assertAlmostEqual(
            alpha(*COPPER, "--tand", 0.02)[0] / (metal[0] + dielectric[0]), 1,
            2)
        self.assertGreater(alpha(*COPPER, "--ground-loss")[0], metal[0] * 1.1)
        self.assertGreater(alpha(*COPPER, "--roughness", 0.002)[0],
                           metal[0] * 1.5)
        self.assertIn("dB/m", self.text_of(*flags, *COPPER))

    def test_dispersion_of_a_single_strip(self):
        wave = self.json_of(*FR4, "--width", 3, "--frequency",
                            "6GHz")["modes"][0]["waves"][0]
        self.assertAlmostEqual(wave["eps_eff_with_dispersion"], 3.4867, 3)

    def test_thick_metal_is_warned_of(self):
        for strips, thickness, said in (("0:3", 0.035, False),
                                        ("0:0.5", 0.035, True),
                                        ("0:3,3.3:6.3", 0.035, True),
                                        ("0:3,3.4:6.4", 0.035, False)):
            result = self.run_line(*FR4, "--strips", strips, "--sigma", 5.8e7,
                                   "--thickness", thickness)
            self.assertEqual("warning" in result.stderr, said, strips)


class Refusals(LineTest):
    def test_missing(self):
        self.refused(["--er is missing", "4.4"], "--height", 1, "--width", 1)
        self.refused(["--height is missing"], "--er", 1, "--width", 1)
        self.refused(["--width is missing", "--strips"], *FR4)
        self.refused(["both given"], *FR4, "--width", 3, "--strips", "0:3")

    def test_numbers(self):
        for text in ("x", "0.9", "-1", "nan", "inf", ""):
            self.refused(["--er"], "--er", text, "--height", 1, "--width", 1)
        self.refused(["permittivity is 1001", "1000"], "--er", 1001,
                     "--height", 1, "--width", 1)
        for text in ("x", "0", "-1", "1mm"):
            self.refused(["--height"], "--er", 1, "--height", text,
                         "--width", 1)
            self.refused(["--width"], *FR4, "--width", text)
        self.refused(["--tand"], *FR4, "--width", 3, "--tand", 1)
        self.refused(["--units", "mil"], *FR4, "--width", 3, "--units", "cm")

    def test_strips(self):
        for text, said in (("0", "no x0:x1"), ("0:1:2", "no x0:x1"),
                           ("0:a", "no x0:x1"), ("1:0", "no width"),
                           ("1:1", "no width"), ("0:1,", "no x0:x1"),
                           ("0:1,1:2", "right of"), ("2:3,0:1", "right of")):
            self.refused(["--strips", said, "0:3,4:7"], *FR4, "--strips", text)
        self.refused(["17 strips", "16"], *FR4, "--strips",
                     ",".join(f"{i}:{i}.5" for i in range(17)))

    def test_metal(self):
        flags = [*FR4, "--width", 3]
        self.refused(["--thickness is missing"], *flags, "--sigma", 5.8e7)
        self.refused(["--sigma is missing"], *flags, "--thickness", 0.035)
        self.refused(["--thickness 3.1", "width of 3 mm"], *flags, "--sigma",
                     5.8e7, "--thickness", 3.1)
        for flag in ("--two-sided", "--ground-loss"):
            self.refused([flag, "--sigma"], *flags, flag)
        self.refused(["--roughness"], *flags, "--roughness", 1)

    def test_frequencies(self):
        for text in ("x", "0", "-1GHz", "1GHz,,2GHz", "1 parsec"):
            self.refused(["--frequency", "2.4GHz"], *FR4, "--width", 3,
                         "--frequency", text)
        self.refused(["no even and odd mode", "matrices"], *FR4, "--strips",
                     "0:1,2:4", "--frequency", "1GHz")

    def test_unknown_flag(self):
        self.refused(["--hight"], *FR4, "--width", 3, "--hight", 3)


if __name__ == "__main__":
    ASSAY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
