#!/usr/bin/env python3
"""Sealed files from outside: statuses, and files that are whole or not there.

SPDX-License-Identifier: Apache-2.0
usage: seal_test.py ASSAY-BINARY [unittest arguments]
"""

import json
import os
import pathlib
import random
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ASSAY = ""
MIB = 1 << 20


class SealTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.random = random.Random(1)

    def run_assay(self, *words, data=None):
        return subprocess.run(
            [ASSAY, *map(str, words)], cwd=self.folder, input=data,
            capture_output=True, timeout=600, check=False)

    def check(self, status, *words, data=None, said=""):
        """Runs, compares the status; returns standard output."""
        result = self.run_assay(*words, data=data)
        text = (result.stdout + result.stderr).decode(errors="replace")
        self.assertEqual(result.returncode, status, text[-2000:])
        self.assertIn(said, text)
        if status == 1:
            self.assertTrue(result.stderr.startswith(b"error: "), text)
        return result.stdout

    def refused(self, status, *words, data=None, said=""):
        """That status, and the folder is as it was."""
        before = self.names()
        self.check(status, *words, data=data, said=said)
        self.assertEqual(before, self.names())

    def names(self):
        return sorted(p.name for p in self.folder.iterdir())

    def write(self, name, data):
        (self.folder / name).write_bytes(data)
        return data

    def read(self, name):
        return (self.folder / name).read_bytes()

    def key(self, name="k"):
        self.check(0, "keygen", "--out", name)
        return name


class Keys(SealTest):
    def test_a_new_key_is_its_owners_alone(self):
        self.key("a")
        self.key("b")
        self.assertNotEqual(self.read("a"), self.read("b"))
        self.assertEqual(len(self.read("a")), 32)
        mode = (self.folder / "a").stat().st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o600)

    def test_a_key_is_never_overwritten(self):
        before = self.read(self.key())
        self.refused(1, "keygen", "--out", "k", said="exists")
        self.assertEqual(self.read("k"), before)
        self.refused(1, "keygen", "--out", "missing/k")
        self.refused(1, "keygen")
        self.refused(1, "keygen", "--key-file", "k")

    def test_a_key_gets_its_name_whole_and_does_not_go_to_output(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
        result = subprocess.run([ASSAY, "keygen", "--out", "k"],
                                cwd=self.folder, capture_output=True,
                                preexec_fn=limit, check=False)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(self.names(), [])
        self.refused(1, "keygen", "--out", "-", said="standard output")

    def test_nothing_is_written_over_the_key(self):
        key = self.read(self.key())
        data = self.write("f", b"data" * 100)
        (self.folder / "link").symlink_to("k")
        for verb, name in (("seal", "f"), ("open", "s")):
            for out in ("k", "./k", "link"):
                self.refused(1, verb, name, "--key-file", "k", "--out", out,
                             said="is the key")
            self.assertEqual(self.read("k"), key)
            self.check(0, "seal", "f", "--key-file", "k", "--out", "s")
        self.assertEqual(data, self.check(0, "open", "s", "--key-file", "k",
                                          "--out", "-"))

    def test_hexadecimal_is_the_same_key(self):
        digits = self.read(self.key()).hex()
        self.write("hex", (digits + "\n").encode())
        self.write("HEX", digits.upper().encode())
        data = self.write("f", os.urandom(5000))
        self.check(0, "seal", "f", "--key-file", "k", "--out", "s")
        for name in ("hex", "HEX"):
            self.assertEqual(data, self.check(
                0, "open", "s", "--key-file", name, "--out", "-"))

    def test_what_is_no_key_is_refused_and_not_shown(self):
        self.write("f", b"data")
        for bad in (b"", b"x" * 31, b"x" * 33, b"secret" + b"g" * 58,
                    b"0" * 63, b"0" * 65, b"0" * 64 + b" ", b"z" * MIB):
            self.write("bad", bad)
            self.refused(1, "seal", "f", "--key-file", "bad", "--out", "s")
            result = self.run_assay("open", "f", "--key-file", "bad", "--out",
                                    "o")
            self.assertNotIn(b"secret", result.stdout + result.stderr)
        self.refused(1, "seal", "f", "--out", "s", said="there is no key")
        self.refused(1, "seal", "f", "--key-file", "none", "--out", "s")

    def test_tinks_keyset_holds_the_key(self):
        key = self.read(self.key())
        for size in ("1MB", "4KB"):
            text = self.check(0, "keygen", "--key-file", "k", "--tink",
                              "--segment", size)
            keyset = json.loads(text)
            import base64
            value = base64.b64decode(keyset["key"][0]["keyData"]["value"])
            self.assertTrue(value.endswith(b"\x1a\x20" + key))


class Files(SealTest):
    def sealed(self, data, *flags):
        self.key()
        self.write("f", data)
        self.check(0, "seal", "f", "--key-file", "k", "--out", "s", *flags)
        return self.read("s")

    def test_opening_undoes_sealing(self):
        self.key()
        for flags in ([], ["--segment", "4KB"], ["--aad", "00ff"],
                      ["--threads", 1]):
            for size in (0, 1, 4040, 4041, 100000, 3 * MIB):
                data = self.write("f", os.urandom(size))
                self.check(0, "seal", "f", "--key-file", "k", "--out", "s",
                           *flags)
                self.check(0, "open", "s", "--key-file", "k", "--out", "g",
                           *flags)
                self.assertEqual(self.read("g"), data)

    def test_a_named_pipe_is_read_from_its_first_byte(self):
        self.key()
        data = os.urandom(3000)
        os.mkfifo(self.folder / "pipe")
        # The writer waits for a reader, writes at once, and is gone.
        for _ in range(20):
            writer = threading.Thread(
                target=(self.folder / "pipe").write_bytes, args=(data,))
            writer.start()
            self.check(0, "seal", "pipe", "--key-file", "k", "--out", "s")
            writer.join()
            self.assertEqual(data, self.check(0, "open", "s", "--key-file",
                                              "k", "--out", "-"))

    def test_pipes_carry_the_same_format(self):
        self.key()
        for size in (0, 5000, 9 * MIB + 3):
            data = self.write("f", os.urandom(size))
            sealed = self.check(0, "seal", "-", "--key-file", "k", "--out",
                                "-", data=data)
            self.write("s", sealed)
            self.check(0, "open", "s", "--key-file", "k", "--out", "g")
            self.assertEqual(self.read("g"), data)
            self.check(0, "seal", "f", "--key-file", "k", "--out", "s")
            self.assertEqual(data, self.check(
                0, "open", "-", "--key-file", "k", "--out", "-",
                data=self.read("s")))

    def test_two_seals_of_a_file_differ(self):
        first = self.sealed(b"the same")
        self.check(0, "seal", "f", "--key-file", "k", "--out", "s")
        self.assertNotEqual(first[1:], self.read("s")[1:])

    def test_a_file_can_take_its_own_place(self):
        data = os.urandom(3 * MIB)
        self.sealed(data)
        self.check(0, "seal", "f", "--key-file", "k", "--out", "f")
        self.assertNotEqual(self.read("f"), data)
        self.check(0, "open", "f", "--key-file", "k", "--out", "f")
        self.assertEqual(self.read("f"), data)

    def test_ranges_are_slices(self):
        data = os.urandom(30000)
        self.sealed(data, "--segment", "4KB")
        flags = ["--key-file", "k", "--segment", "4KB", "--out", "-"]
        for text, part in (("0:0", b""), ("5:9", data[5:9]), (":", data),
                           ("29999:", data[-1:]), (":4041", data[:4041]),
                           ("4000:20000", data[4000:20000])):
            self.assertEqual(part, self.check(
                0, "open", "s", *flags, "--range", text))
        for text in ("1", "a:b", "3:2", "0:30001", "-1:3", "30001:"):
            self.refused(1, "open", "s", *flags, f"--range={text}")
        self.refused(1, "open", "-", *flags, "--range", "0:1",
                     data=self.read("s"))

    def test_damage_is_rejected_and_nothing_is_left(self):
        sealed = self.sealed(os.urandom(20000), "--segment", "4KB")
        flags = ["--key-file", "k", "--segment", "4KB"]
        self.write("old", b"old")
        bad = []
        for _ in range(40):
            at = self.random.randrange(len(sealed))
            bad.append(sealed[:at] + bytes([sealed[at] ^ 1 << at % 8])
                       + sealed[at + 1:])
        bad += [sealed[:n] for n in (0, 1, 39, 40, 55, 56, 4096, 8192,
                                     len(sealed) - 1)]
        bad += [sealed + b"\0", sealed + sealed[4096:],
                sealed[:4096] + sealed[8192:]]
        for data in bad:
            self.write("bad", data)
            self.refused(2, "open", "bad", *flags, "--out", "new",
                         said="rejected")
            self.refused(2, "open", "bad", *flags, "--out", "old")
            self.assertEqual(self.read("old"), b"old")
            self.refused(2, "open", "-", *flags, "--out", "new", data=data)

    def test_key_aad_and_segment_size_belong_to_the_file(self):
        self.sealed(os.urandom(20000), "--aad", "01")
        self.key("other")
        for flags in (["--key-file", "k"], ["--key-file", "k", "--aad", "02"],
                      ["--key-file", "other", "--aad", "01"],
                      ["--key-file", "k", "--aad", "01", "--segment", "4KB"]):
            self.refused(2, "open", "s", *flags, "--out", "g")
        answer = json.loads(self.check(2, "open", "s", "--key-file", "k",
                                       "--out", "g", "--json"))
        self.assertFalse(answer["accepted"])
        self.assertNotIn("g", self.names())

    def test_bad_flags_are_errors(self):
        self.sealed(b"data")
        for words in (["seal", "f", "--key-file", "k"],
                      ["seal", "none", "--key-file", "k", "--out", "x"],
                      ["seal", ".", "--key-file", "k", "--out", "x"],
                      ["seal", "f", "--key-file", "k", "--out", "no/x"],
                      ["seal", "f", "--key-file", "k", "--out", "."],
                      ["seal", "f", "--key-file", "k", "--out", "x", "--aad",
                       "0"],
                      ["seal", "f", "--key-file", "k", "--out", "x", "--aad",
                       "gg"],
                      ["seal", "f", "--key-file", "k", "--out", "x",
                       "--segment", "2MB"],
                      ["open", "s", "--key-file", "k", "--out", "-", "--json"]):
            self.refused(1, *words)

    def test_a_full_disk_is_an_error_and_nothing_is_left(self):
        self.sealed(os.urandom(3 * MIB))
        flags = ["--key-file", "k", "--out"]
        self.write("old", b"old")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                           (2 * MIB, 2 * MIB))
        before = self.names()
        for verb, name in (("seal", "f"), ("open", "s")):
            with open("/dev/full", "wb") as full:
                result = subprocess.run(
                    [ASSAY, verb, name, *flags, "-"], cwd=self.folder,
                    stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(result.returncode, 1)
            self.assertEqual(result.stderr.count(b"error: "), 1,
                             result.stderr)
            for out in ("new", "old"):
                result = subprocess.run(
                    [ASSAY, verb, name, *flags, out], cwd=self.folder,
                    capture_output=True, preexec_fn=limit, check=False)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertTrue(result.stderr.startswith(b"error: "))
                self.assertEqual(before, self.names())
            self.assertEqual(self.read("old"), b"old")
            self.refused(1, verb, name, *flags, "/dev/full")
        self.refused(2, "open", "f", *flags, "new")

    def test_a_closed_pipe_is_an_error(self):
        self.sealed(os.urandom(8 * MIB))
        reading, writing = os.pipe()
        os.close(reading)
        result = subprocess.run(
            [ASSAY, "open", "s", "--key-file", "k", "--out", "-"],
            cwd=self.folder, stdout=writing, stderr=subprocess.PIPE,
            timeout=600, check=False)
        os.close(writing)
        self.assertIn(result.returncode, (1, -signal.SIGPIPE))


class Ghash(SealTest):
    def test_the_hash_is_a_published_one(self):
        # Test case 2 of GCM's paper: a block of ciphertext, then the lengths.
        h = "66e94bd4ef8a2c3b884cfa59ca342b2e"
        self.write("f", bytes.fromhex("0388dace60b6a392f328c2b971b2fe78"
                                      "00000000000000000000000000000080"))
        want = "f38cbb1ad69223dcc3457ae5b6b0f885"
        self.assertEqual(self.check(0, "ghash", "f", "--h", h).split()[0],
                         want.encode())
        self.assertEqual(self.check(0, "ghash", "-", "--h", h.upper(),
                                    data=self.read("f")).split()[0],
                         want.encode())
        for bad in ("00", "x" * 32, h + "00"):
            self.refused(1, "ghash", "f", "--h", bad)
        self.refused(1, "ghash", "none", "--h", h)


class Kills(SealTest):
    """kill -9 at any time: the old file, or none, or the whole new one."""

    def kill(self, delay, *words):
        process = subprocess.Popen(
            [ASSAY, *map(str, words)], cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.kill()
        process.wait()

    def test_seal_and_open_leave_old_files_or_whole_new_ones(self):
        self.key()
        data = self.write("f", os.urandom(64 * MIB))
        self.check(0, "seal", "f", "--key-file", "k", "--out", "whole")
        for i in range(16):
            delay = 0.01 * i
            self.write("old", b"old")
            self.kill(delay, "seal", "f", "--key-file", "k", "--out", "old")
            self.kill(delay, "seal", "f", "--key-file", "k", "--out", "new")
            for name in ("old", "new"):
                path = self.folder / name
                if name == "new" and not path.exists():
                    continue
                if path.read_bytes() == b"old":
                    continue
                self.check(0, "open", name, "--key-file", "k", "--out", "g")
                self.assertEqual(self.read("g"), data)
                path.unlink()
            self.write("old", b"old")
            self.kill(delay, "open", "whole", "--key-file", "k", "--out",
                      "old")
            self.assertIn(self.read("old"), (b"old", data))
            for path in self.folder.glob("*.??????"):
                path.unlink()  # what a killed run could not remove

    def test_an_interrupt_leaves_nothing(self):
        self.key()
        self.write("f", os.urandom(256 * MIB))
        before = self.names()
        process = subprocess.Popen(
            [ASSAY, "seal", "f", "--key-file", "k", "--out", "s"],
            cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        # As soon as the first bytes are beside their place.
        while process.poll() is None and not any(
                path.stat().st_size for path in self.folder.glob("s.*")):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, text = process.communicate(timeout=600)
        if process.returncode == 0:
            self.skipTest("sealed before the signal came")
        self.assertEqual(process.returncode, 1, text)
        self.assertEqual(before, self.names())

    def test_signals_end_a_wait_for_input(self):
        self.key()
        before = self.names()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen(
                [ASSAY, "seal", "-", "--key-file", "k", "--out", "s"],
                cwd=self.folder, stdin=subprocess.PIPE, bufsize=0,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            process.stdin.write(os.urandom(20 * MIB))
            # What was read is beside its place; the writer says no more.
            while process.poll() is None and not any(
                    path.stat().st_size for path in self.folder.glob("s.*")):
                time.sleep(0.01)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), 1)
            self.assertIn(b"cancelled", process.stderr.read())
            process.stderr.close()
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass
            self.assertEqual(before, self.names())

    def test_files_that_do_not_say_their_size_are_read_to_their_end(self):
        path = "/proc/version"
        if not os.path.exists(path):
            self.skipTest("no /proc here")
        self.key()
        self.check(0, "seal", path, "--key-file", "k", "--out", "s")
        self.assertEqual(self.read(path), self.check(
            0, "open", "s", "--key-file", "k", "--out", "-"))


if __name__ == "__main__":
    ASSAY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
