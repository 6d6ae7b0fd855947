#!/usr/bin/env python3
"""The command line from outside: statuses, messages, and files it leaves.

SPDX-License-Identifier: Apache-2.0
usage: cli_test.py ASSAY-BINARY [unittest arguments]
"""

import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

ASSAY = ""
PRIME = 2013265921
HEADER = 64
SMALL = ["--security", 40, "--pow", 4]


class CliTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_assay(self, *words, env=None):
        return subprocess.run(
            [ASSAY, *map(str, words)], cwd=self.folder, capture_output=True,
            text=True, timeout=600, check=False,
            env=dict(os.environ, **(env or {})))

    def check(self, status, said, *words, env=None):
        """Runs, compares the status, looks for each part of the text."""
        result = self.run_assay(*words, env=env)
        text = result.stdout + result.stderr
        self.assertEqual(result.returncode, status, text)
        for part in said:
            self.assertIn(part, text)
        if status == 1:
            self.assertTrue(result.stderr.startswith("error: "), text)
            self.assertEqual(result.stdout, "")
        return result

    def refused(self, said, *words, env=None):
        """Exit 1, and the folder is as it was."""
        before = sorted(self.folder.rglob("*"))
        self.check(1, said, *words, env=env)
        self.assertEqual(before, sorted(self.folder.rglob("*")))

    def path(self, name, data=b""):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def evals(self, name, values):
        return self.path(name, struct.pack(f"<{len(values)}I", *values))

    def proof(self, *flags):
        """The bytes of a small proof."""
        self.check(0, [], "prove", "--seed", 7, "--n", 9, *SMALL, *flags,
                   "--out", "p.bin")
        return (self.folder / "p.bin").read_bytes()


class BadProofs(CliTest):
    def rejected(self, data, said, *flags):
        self.path("bad.bin", bytes(data))
        self.check(2, ["rejected", *said], "verify", "bad.bin", "--policy",
                   "any", *flags)

    def test_truncated(self):
        data = self.proof()
        for length in [0, 1, 8, 63, 64, 65, 96, len(data) - 1,
                       *range(100, len(data), len(data) // 25)]:
            self.rejected(data[:length], ["format"])

    def test_trailing_bytes(self):
        self.rejected(self.proof() + b"\0", ["format"])

    def test_oversized(self):
        path = self.path("bad.bin", self.proof())
        os.truncate(path, 1 << 30)  # sparse
        self.check(2, ["rejected", "format"], "verify", path)

    def test_one_bit_changed(self):
        data = self.proof()
        for i in range(80):
            changed = bytearray(data)
            changed[i * (len(data) - 1) // 79] ^= 1 << (i % 8)
            self.rejected(changed, [])

    def test_varint_longer_than_needed(self):
        data = self.proof()
        self.assertEqual(data[HEADER], 1)
        self.rejected(data[:HEADER] + b"\x81\0" + data[HEADER + 1:],
                      ["format"])

    def test_element_not_below_p(self):
        data = self.proof()
        self.rejected(data[:HEADER + 1] + struct.pack("<I", PRIME) +
                      data[HEADER + 5:], ["format"])

    def test_header_of_parameters_that_are_infeasible(self):
        data = bytearray(self.proof())
        data[24:28] = struct.pack("<I", 150)  # bits of security
        self.rejected(data, ["parameters"])

    def test_not_a_proof(self):
        self.rejected(b"# README\n" * 50, ["format"])

    def test_missing_file_is_an_error(self):
        self.refused(["none.bin", "No such file"], "verify", "none.bin")
        self.refused(["directory"], "verify", self.folder)


class Policies(CliTest):
    def test_default_asks_for_90_bits_and_proven_bounds(self):
        self.proof()
        self.check(2, ["policy", "40 bits", "90"], "verify", "p.bin")
        self.check(0, ["accepted", "warning"], "verify", "p.bin", "--policy",
                   "any")
        self.check(0, [], "prove", "--seed", 1, "--n", 9, "--soundness", "cb",
                   "--out", "cb.bin")
        self.check(2, ["policy", "cb"], "verify", "cb.bin")

    def test_grinding_has_a_limit(self):
        self.check(0, [], "prove", "--seed", 1, "--n", 8, "--fold", 4,
                   "--soundness", "ud", "--pow", 17, "--out", "p.bin")
        self.check(2, ["policy", "17"], "verify", "p.bin")

    def test_file(self):
        self.proof()
        policy = self.path("policy.json", b'{"min_security": 40}')
        self.check(0, ["accepted"], "verify", "p.bin", "--policy", policy)
        self.path("policy.json", b'{"regimes": ["ud"], "min_security": 40}')
        self.check(2, ["policy", "jb"], "verify", "p.bin", "--policy", policy)
        for text in (b"{", b'{"regime": []}', b'{"max_pow": "x"}', b"[]",
                     b'{"regimes": ["zz"]}'):
            self.path("policy.json", text)
            self.refused(["policy"], "verify", "p.bin", "--policy", policy)
        self.refused(["none.json"], "verify", "p.bin", "--policy",
                     "none.json")


class Statements(CliTest):
    def test_only_its_own_is_accepted(self):
        self.proof("--statement", "s.json")
        arguments = ["verify", "p.bin", "--policy", "any", "--statement",
                     "s.json"]
        self.check(0, ["accepted"], *arguments)
        statement = json.loads((self.folder / "s.json").read_text())
        statement["values"][0][0] ^= 1
        self.path("s.json", json.dumps(statement).encode())
        self.check(2, ["statement", "values"], *arguments)

    def test_malformed_is_an_error(self):
        self.proof("--statement", "s.json")
        text = (self.folder / "s.json").read_text()
        for bad in ("", "[]", text[:-20], text.replace('"values"', '"v"'),
                    text.replace("statement 1", "statement 9"),
                    text.replace('"fold": 4', '"fold": 99')):
            self.path("bad.json", bad.encode())
            self.refused(["bad.json"], "verify", "p.bin", "--statement",
                         "bad.json")
        self.refused(["none.json"], "verify", "p.bin", "--statement",
                     "none.json")

    def test_is_read_within_the_limits_of_a_header(self):
        self.proof("--statement", "s.json")
        text = (self.folder / "s.json").read_text()
        for name, old, most in (("fold", 4, 16), ("rate", 1, 27),
                                ("reduction", 0, 42)):
            for value, status in ((most, 2), (most + 1, 1)):
                self.path("other.json", text.replace(
                    f'"{name}": {old}', f'"{name}": {value}').encode())
                self.check(status, [name], "verify", "p.bin", "--policy",
                           "any", "--statement", "other.json")

    def test_without_one_it_says_what_was_checked(self):
        self.proof()
        self.check(0, ["seed 7", "has the value"], "verify", "p.bin",
                   "--policy", "any")


class DrawnSeeds(CliTest):
    POLICY = b'{"min_security": 1}'
    DRAWN = ["--mode", "drawn", "--statement", "s.json"]

    def setUp(self):
        super().setUp()
        self.path("policy.json", self.POLICY)

    def test_a_seed_that_binds_nothing_is_worth_a_warning(self):
        self.proof(*self.DRAWN)
        strict = ["verify", "p.bin", "--policy", "policy.json"]
        said = ["warning", "seed 7 binds nothing here"]
        self.check(0, ["accepted", *said], *strict)
        self.check(2, ["policy"], "verify", "p.bin")  # 40 bits
        self.check(0, ["accepted"], *strict, "--statement", "s.json")
        self.check(0, ["accepted", *said], "verify", "p.bin",
                   "--policy", "any")
        statement = json.loads((self.folder / "s.json").read_text())
        for source in (None, 7, {"kind": 7}, {"kind": "seed"},
                       {"kind": "seed", "seed": "8"}):
            self.path("s.json", json.dumps(
                dict(statement, source=source)).encode())
            self.check(0, said, *strict, "--statement", "s.json")

    def test_data_of_a_file_has_no_seed(self):
        self.evals("e.bin", range(512))
        prove = ["prove", "--evals", "e.bin", *SMALL, "--out", "p.bin"]
        self.check(0, [], *prove, *self.DRAWN)
        verify = ["verify", "p.bin", "--policy", "policy.json", "--statement",
                  "s.json"]
        self.check(0, ["accepted"], *verify)
        self.check(0, ["accepted"], *verify[:4])
        data = bytearray((self.folder / "p.bin").read_bytes())
        data[48] = 9
        self.path("p.bin", bytes(data))
        statement = json.loads((self.folder / "s.json").read_text())
        self.path("s.json", json.dumps(dict(statement, seed="9")).encode())
        self.check(2, ["rejected: seed", "must be 0"], *verify)
        self.check(2, ["rejected: seed", "must be 0"], "verify", "p.bin",
                   "--policy", "any", "--statement", "s.json")
        # Given points may come from a seed, whatever the data are.
        self.check(0, [], *prove, "--statement", "s.json")
        self.check(0, ["accepted"], *verify)


class HostileJson(CliTest):
    def test_deep_nesting_and_repeated_keys_are_errors(self):
        self.proof("--statement", "s.json")
        nested = b"[" * 400000 + b"]" * 400000
        self.path("p.json", b'{"regimes":[' + nested + b"]}")
        self.check(1, ["nested"], "verify", "p.bin", "--policy", "p.json")
        self.path("p.json", b'{"max_pow": 1, "max_pow": 30}')
        self.check(1, ["max_pow", "twice"], "verify", "p.bin", "--policy",
                   "p.json")
        self.path("s.json", b'{"format": ' + nested + b"}")
        self.check(1, ["nested"], "verify", "p.bin", "--statement", "s.json")
        self.path("f.txt", b"[[" + nested + b"]]")
        self.check(1, ["nested"], "prove", "--seed", 1, "--n", 8, "--point",
                   "f.txt", "--out", "q.bin")

    def test_errors_are_json_where_json_is_asked_for(self):
        result = self.run_assay("verify", "nofile", "--json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("nofile", json.loads(result.stdout)["error"]["what"])

    def test_empty_values_are_refused(self):
        self.proof("--statement", "s.json")
        self.check(1, ["--statement is empty"], "verify", "p.bin",
                   "--statement", "")

    def test_a_closed_stderr_changes_no_status(self):
        for words, status in ((["verify", "nofile"], 1), (["devices"], 0)):
            with open("/dev/full", "w") as full:
                result = subprocess.run([ASSAY, *words], cwd=self.folder,
                                        stdout=subprocess.DEVNULL, stderr=full,
                                        check=False)
            self.assertEqual(result.returncode, status)

    def test_grinding_can_be_cancelled(self):
        work = subprocess.Popen(
            [ASSAY, "prove", "--seed", "1", "--n", "8", "--pow", "30",
             "--security", "60", "--out", "g.bin"], cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        work.send_signal(signal.SIGINT)
        _, said = work.communicate(timeout=60)
        self.assertEqual(work.returncode, 1, said)
        self.assertIn("cancelled", said)
        self.assertEqual(list(self.folder.iterdir()), [])


class BadInput(CliTest):
    def test_exactly_one_source(self):
        self.refused(["--seed", "--evals", "--input"], "prove")
        self.evals("e.bin", [1, 2])
        self.refused(["more than one"], "prove", "--seed", 1, "--n", 8,
                     "--evals", "e.bin")
        self.refused(["--n"], "prove", "--seed", 1)
        self.refused(["seed"], "prove", "--seed", "x", "--n", 8)

    def test_evals(self):
        for count in (0, 1, 3, 6, 24):
            self.evals("e.bin", [1] * count)
            self.refused(["power of two", "e.bin"], "prove", "--evals",
                         "e.bin")
        self.path("e.bin", bytes(33))
        self.refused(["power of two"], "prove", "--evals", "e.bin")
        self.evals("e.bin", [5] * 200 + [PRIME] + [5] * 55)
        self.refused(["value 200", str(PRIME)], "prove", "--evals", "e.bin")

    def test_input(self):
        self.path("empty")
        self.refused(["empty"], "prove", "--input", "empty")
        self.refused(["none", "no such file"], "prove", "--input", "none")
        self.refused(["regular file"], "prove", "--input", self.folder)

    def test_too_large_for_memory(self):
        begin = time.monotonic()
        self.refused(["n=26", "hint"], "prove", "--seed", 1, "--n", 26,
                     "--memory", "1MiB")
        path = self.path("large")
        os.truncate(path, 1 << 28)  # sparse: 2^26 values
        self.refused(["n=26"], "prove", "--evals", path, "--memory", "1MiB")
        self.refused(["n=26"], "prove", "--evals", path,
                     env={"ASSAY_MEMORY": "1MiB"})
        self.assertLess(time.monotonic() - begin, 20)

    def test_parameters(self):
        self.refused(["fold", "--fold 3"], "prove", "--seed", 1, "--n", 3)
        self.refused(["1..6"], "prove", "--seed", 1, "--n", 8, "--fold", 9)
        self.refused(["ud, jb, cb"], "prove", "--seed", 1, "--n", 8,
                     "--soundness", "zz")
        self.refused(["hint"], "prove", "--seed", 1, "--n", 20,
                     "--soundness", "cb", "--security", 120)
        self.refused(["bytes"], "prove", "--seed", 1, "--n", 8, "--memory",
                     "lots")
        self.refused(["ASSAY_MEMORY"], "prove", "--seed", 1, "--n", 8,
                     env={"ASSAY_MEMORY": "lots"})
        self.refused(["nowhere"], "prove", "--seed", 1, "--n", 8, "--device",
                     "nowhere")
        self.refused(["nowhere"], "prove", "--seed", 1, "--n", 8,
                     env={"ASSAY_DEVICE": "nowhere"})

    def test_points(self):
        prove = ["prove", "--seed", 1, "--n", 8, *SMALL, "--point", "points"]
        self.refused(["points"], *prove)
        for text, said in (("1 2 3", "4n"), ("[]", "no point"),
                           ("[[1,2,3,4]]", ""), ("x y", "whole number"),
                           ("4000000000 " * 32, "below p"), ("", "no point"),
                           (json.dumps([[1, 2, 3, 4]] * 7), "n=8")):
            self.path("points", text.encode())
            self.refused(["points", said], *prove)
        self.path("points", b"1 " * 32)
        self.refused(["drawn"], *prove, "--mode", "drawn")
        self.refused(["--points is 2"], *prove, "--points", 2)

    def test_command_line(self):
        self.refused(["foo"], "foo")
        self.refused(["--bogus"], "prove", "--bogus")
        self.refused(["proof"], "verify")
        self.refused(["subcommand"])
        self.refused(["variables"], "bench", "whir")
        self.refused(["nothing"], "selftest", "nothing")
        self.check(0, ["--evals"], "prove", "--help")
        self.check(0, ["assay"], "--version")


class Outputs(CliTest):
    def test_unwritable(self):
        prove = ["prove", "--seed", 1, "--n", 8, *SMALL]
        (self.folder / "folder").mkdir()
        for flag in ("--out", "--statement", "--trace", "--report"):
            self.refused(["no/such"], *prove, flag, "no/such/file")
            self.refused(["directory"], *prove, flag, "folder")
        if os.geteuid() != 0:  # root may write anywhere
            (self.folder / "folder").chmod(0o500)
            self.refused(["folder/p"], *prove, "--out", "folder/p")

    def test_unwritable_is_noticed_before_the_work(self):
        begin = time.monotonic()
        self.refused(["no/such"], "prove", "--seed", 1, "--n", 24, "--out",
                     "no/such/file")
        self.assertLess(time.monotonic() - begin, 5)

    def test_full_disk(self):
        prove = ["prove", "--seed", 1, "--n", 8, *SMALL]
        self.refused(["/dev/full", "No space"], *prove, "--out", "/dev/full")
        self.path("proof.bin", b"old")
        for flag in ("--statement", "--trace", "--report"):
            self.refused(["/dev/full", "No space"], *prove, flag, "/dev/full")
            self.assertEqual((self.folder / "proof.bin").read_bytes(), b"old")
        for flag in ("--trace", "--report"):
            self.refused(["/dev/full"], *prove, flag, "/dev/full",
                         "--statement", "s.json")

    def test_full_standard_output(self):
        self.proof()
        for words in (["devices"], ["devices", "--json"], ["--help"],
                      ["--version"], ["verify", "p.bin", "--policy", "any"],
                      ["prove", "--seed", 1, "--n", 8, *SMALL]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                result = subprocess.run(
                    [ASSAY, *map(str, words)], cwd=self.folder, stdout=full,
                    stderr=subprocess.PIPE, text=True, timeout=600,
                    check=False)
            self.assertEqual(result.returncode, 1, words)
            self.assertIn("standard output", result.stderr)

    def test_outputs_are_files_of_their_own(self):
        prove = ["prove", "--seed", 1, "--n", 8, *SMALL]
        (self.folder / "folder").mkdir()
        (self.folder / "here").symlink_to(self.folder)
        flags = ("--out", "--statement", "--trace", "--report")
        for i, flag in enumerate(flags):
            for other in flags[:i]:
                for a, b in (("a", "a"), ("./a", "a"), ("here/a", "a"),
                             ("a", "folder/../a"), (self.folder / "a", "a")):
                    self.refused([flag, other, "same file"], *prove, flag, a,
                                 other, b)
        self.refused(["--out", "--statement"], *prove, "--statement",
                     "proof.bin")
        self.path("a")
        os.link(self.folder / "a", self.folder / "b")
        self.refused(["--out b", "--report a"], *prove, "--out", "b",
                     "--report", "a")

    def test_inputs_are_not_overwritten(self):
        data = struct.pack("<64I", *range(64))
        points = b"1 " * 24
        (self.folder / "here").symlink_to(self.folder)
        for flag, text, rest in (
                ("--input", data, []), ("--evals", data, []),
                ("--point", points, ["--seed", 1, "--n", 6])):
            self.path("proof.bin", text)
            self.refused([flag, "--out", "same file"], "prove", flag,
                         "proof.bin", *rest, *SMALL)
            for output in ("--out", "--statement", "--trace", "--report"):
                out = [] if output == "--out" else ["--out", "p"]
                self.refused([flag, output, "same file"], "prove", flag,
                             "proof.bin", *rest, *SMALL, *out, output,
                             "here/proof.bin")
            self.assertEqual((self.folder / "proof.bin").read_bytes(), text)

    def test_link_to_a_missing_file_is_refused(self):
        link = self.folder / "link"
        link.symlink_to("missing")
        for flag in ("--out", "--statement"):
            self.refused(["link", "missing file"], "prove", "--seed", 1,
                         "--n", 8, *SMALL, flag, "link")
        self.assertTrue(link.is_symlink())
        self.path("missing", b"old")
        self.check(0, [], "prove", "--seed", 1, "--n", 8, *SMALL, "--out",
                   "link")
        self.assertTrue(link.is_symlink())
        self.assertNotEqual((self.folder / "missing").read_bytes(), b"old")

    def test_old_file_survives_a_failure(self):
        self.path("proof.bin", b"old")
        self.evals("e.bin", [PRIME] * 16)
        self.refused(["value 0"], "prove", "--evals", "e.bin")
        self.assertEqual((self.folder / "proof.bin").read_bytes(), b"old")

    def test_interrupt_leaves_nothing_beside(self):
        process = subprocess.Popen(
            [ASSAY, "prove", "--seed", "1", "--n", "20", "--out", "p.bin"],
            cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        # Work that was done in time is done, else there is no file.
        done = process.wait(timeout=600) == 0
        self.assertEqual(os.listdir(self.folder), ["p.bin"] if done else [])

    def test_report_needs_no_other_file(self):
        self.proof("--report", "r.html")
        page = (self.folder / "r.html").read_text()
        for part in ("proven", "<svg", "accepted", "rejected", "jb"):
            self.assertIn(part, page)
        for part in ("http", "src=", "<link"):
            self.assertNotIn(part, page)
        self.proof("--report", "r.html", "--soundness", "cb")
        self.assertIn("conjecture", (self.folder / "r.html").read_text())

    def test_trace_is_json(self):
        self.proof("--trace", "t.json")
        json.loads((self.folder / "t.json").read_text())


class Answers(CliTest):
    def json_of(self, *words):
        return json.loads(self.check(0, [], *words, "--json").stdout)

    def test_threads_make_the_same_bytes(self):
        flags = ["prove", "--seed", 5, "--n", 14]
        self.check(0, [], *flags, "--threads", 1, "--out", "one")
        self.check(0, [], *flags, "--threads", 2, "--out", "two")
        self.assertEqual((self.folder / "one").read_bytes(),
                         (self.folder / "two").read_bytes())

    def values_at_corners(self, n, corners, *flags):
        """At a corner of the cube a polynomial has one of its 2^n values."""
        points = [[[b >> (n - 1 - j) & 1, 0, 0, 0] for j in range(n)]
                  for b in corners]
        self.path("points", json.dumps(points).encode())
        answer = self.json_of("prove", *SMALL, "--fold", 2, "--point",
                              "points", *flags)
        return [value[0] for value in answer["values"]]

    def test_evals_are_taken_in_order(self):
        values = [(i * i * 1234577 + 5) % PRIME for i in range(64)]
        self.evals("e.bin", values)
        corners = [0, 1, 5, 32, 63]
        self.assertEqual(
            self.values_at_corners(6, corners, "--evals", "e.bin"),
            [values[b] for b in corners])

    def test_input_is_packed_three_bytes_a_value(self):
        data = bytes((i * 37 + 11) % 256 for i in range(100))
        self.path("in", data)
        packed = data + bytes(192 - len(data))
        corners = [0, 1, 2, 32, 33, 34, 63]
        self.assertEqual(
            self.values_at_corners(6, corners, "--input", "in"),
            [int.from_bytes(packed[3 * b:3 * b + 3], "little")
             for b in corners])

    def test_statement_records_the_packing(self):
        self.path("in", b"x" * 100)
        self.check(0, [], "prove", "--input", "in", *SMALL, "--statement",
                   "s.json")
        source = json.loads((self.folder / "s.json").read_text())["source"]
        self.assertEqual(source["kind"], "input")
        self.assertEqual(source["bytes"], 100)
        self.assertIn("three bytes", source["packing"])

    def test_json(self):
        answer = self.json_of("prove", "--seed", 2, "--n", 10, "--out", "p")
        for key in ("prove_ms", "verify_ms", "proof_bytes", "peak_bytes"):
            self.assertGreater(answer[key], 0)
        self.assertTrue(answer["verified"])
        self.assertLessEqual(answer["device_peak_bytes"],
                             answer["planned_peak_bytes"])
        self.assertTrue(self.json_of("verify", "p")["accepted"])
        self.assertTrue(self.json_of("devices")["devices"])
        self.assertEqual(self.json_of("selftest", "ntt")["failed"], 0)

    def test_ways_of_offloading_write_the_same_proof(self):
        proofs = []
        for way in ("fused", "gpu", "grind", "cpu"):
            answer = self.json_of("prove", "--seed", 2, "--n", 10, *SMALL,
                                  "--device", "cpu", "--offload", way,
                                  "--out", way)
            self.assertEqual(answer["offload"], way)
            self.assertEqual(answer["notes"], [])
            self.assertGreaterEqual(answer["submissions"], answer["waits"])
            proofs.append((self.folder / way).read_bytes())
        self.assertEqual(len(set(proofs)), 1)

    def test_what_does_not_fit_or_is_not_there_is_said(self):
        prove = ["prove", "--seed", 2, "--n", 14, *SMALL, "--out", "p"]
        self.refused(["needs", "--memory"], *prove, "--memory", "64KiB",
                     "--device", "cpu")
        self.refused(["--device"], *prove, "--device", "nothing")
        self.refused(["--offload"], *prove, "--offload", "half")
        self.refused(["--out"], "bench", "whir", 10, 2, 1, "--out", "grid")

    def test_bench(self):
        answer = self.json_of("bench", "whir", 12, 4, 1, "--runs", 2)
        for key in ("prove_ms", "prove_min_ms", "prove_cpu_ms", "verify_ms",
                    "proof_bytes", "peak_bytes"):
            self.assertGreater(answer[key], 0)
        times = {step["name"]: step["ms"] for step in answer["steps"]}
        self.assertEqual(set(times), {
            "NTT", "leaves", "tree", "sum-check", "weights", "grinding",
            "openings", "other"})
        for name in ("NTT", "leaves", "tree", "sum-check", "grinding"):
            self.assertGreater(times[name], 0, name)

    def test_conjecture_is_named(self):
        self.check(0, ["warning", "conjecture"], "prove", "--seed", 1, "--n",
                   8, *SMALL, "--soundness", "cb")

    def test_no_verify(self):
        answer = self.json_of("prove", "--seed", 1, "--n", 8, *SMALL,
                              "--no-verify")
        self.assertFalse(answer["verified"])


if __name__ == "__main__":
    ASSAY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
