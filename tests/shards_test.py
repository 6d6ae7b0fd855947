#!/usr/bin/env python3
"""Shards and CRCs from outside: what is lost, damaged, mixed, and refused.

SPDX-License-Identifier: Apache-2.0
usage: shards_test.py ASSAY-BINARY [unittest arguments]
"""

import itertools
import json
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

ASSAY = ""
HEADER = 72


class ShardsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_assay(self, *words, data=None):
        return subprocess.run(
            [ASSAY, *map(str, words)], cwd=self.folder, capture_output=True,
            input=data, timeout=600, check=False)

    def check(self, status, said, *words, data=None):
        result = self.run_assay(*words, data=data)
        text = (result.stdout + result.stderr).decode()
        self.assertEqual(result.returncode, status, text)
        for part in said:
            self.assertIn(part, text)
        if status == 1 and "--json" not in words:
            self.assertTrue(result.stderr.startswith(b"error: "), text)
            self.assertEqual(result.stdout, b"")
        return result.stdout.decode()

    def contents(self):
        return {path: path.read_bytes()
                for path in self.folder.rglob("*") if path.is_file()}

    def refused(self, said, *words):
        """Exit 1, and every file is as it was."""
        before = self.contents()
        folders = sorted(self.folder.rglob("*"))
        self.check(1, said, *words)
        self.assertEqual(before, self.contents())
        self.assertEqual(folders, sorted(self.folder.rglob("*")))

    def file(self, name, size, seed=1):
        data = random.Random(seed).randbytes(size)
        (self.folder / name).write_bytes(data)
        return data

    def shard(self, index, name="a", folder="s"):
        return self.folder / folder / f"{name}.{index:03}.shard"

    def protect(self, *flags, name="a", folder="s"):
        self.check(0, [], "protect", name, "--out", folder, *flags)

    def repaired(self, data, said, *words):
        self.check(0, said, "repair", *words, "--out", "out")
        self.assertEqual((self.folder / "out").read_bytes(), data)
        (self.folder / "out").unlink()


class Crc(ShardsTest):
    def test_is_that_of_zlib(self):
        for size in (0, 1, 15, 16, 1000, 5_000_001):
            data = self.file("a", size)
            value = f"{zlib.crc32(data):08x}"
            self.assertEqual(self.check(0, [], "crc", "a"), f"{value}  a\n")
            self.assertEqual(self.check(0, [], "crc", "-", data=data),
                             f"{value}  -\n")

    def test_kinds_have_their_published_check_values(self):
        for kind, value in (("crc32", "cbf43926"), ("crc32c", "e3069283"),
                            ("crc64", "995dc9bbdf1939fa")):
            out = self.check(0, [], "crc", "-", "--kind", kind,
                             data=b"123456789")
            self.assertEqual(out, f"{value}  -\n")

    def test_json_names_each_file(self):
        self.file("a", 10)
        self.file("b", 20)
        answer = json.loads(self.check(0, [], "crc", "a", "b", "--json"))
        self.assertEqual(answer["kind"], "crc32")
        self.assertEqual([f["path"] for f in answer["files"]], ["a", "b"])
        self.assertEqual([f["bytes"] for f in answer["files"]], [10, 20])

    def test_what_can_not_be_read_is_an_error(self):
        self.file("a", 10)
        self.refused(["none", "No such file"], "crc", "a", "none")
        self.refused(["directory"], "crc", ".")
        self.refused(["files"], "crc")
        self.refused(["--kind"], "crc", "a", "--kind", "md5")


class Repair(ShardsTest):
    def test_any_enough_shards_give_the_file(self):
        for matrix in ("vandermonde", "cauchy"):
            data = self.file("a", 1003)
            self.protect("--data", 3, "--parity", 2, "--matrix", matrix)
            shards = [self.shard(i) for i in range(5)]
            for some in itertools.combinations(shards, 3):
                self.repaired(data, [matrix], *some)

    def test_all_sizes_around_the_shards(self):
        for size in (0, 1, 9, 10, 11, 4096, 100_003):
            data = self.file("a", size)
            self.protect()
            for index in (0, 4, 9, 13):
                self.shard(index).unlink()
            self.repaired(data, ["missing       0, 4, 9, 13",
                                 "rebuilt data  0, 4, 9"], "s")

    def test_damage_is_found_and_told(self):
        data = self.file("a", 5000)
        self.protect("--data", 4, "--parity", 3)
        for index, at in ((0, HEADER + 5), (2, 20), (5, 3)):
            path = self.shard(index)
            bad = bytearray(path.read_bytes())
            bad[at] ^= 4
            path.write_bytes(bad)
        self.repaired(data, [
            "a.000.shard: its CRC does not match",
            "a.002.shard: the CRC of its header does not match",
            "a.005.shard: it does not begin like a shard",
            "rebuilt data  0, 2"], "s")

    def test_lost_shards_are_written_again(self):
        data = self.file("a", 5000)
        self.protect("--data", 4, "--parity", 3)
        whole = self.contents()
        self.shard(1).unlink()
        self.shard(6).unlink()
        self.shard(3).write_bytes(self.shard(3).read_bytes()[:-1])
        self.repaired(data, ["a.001.shard", "a.003.shard", "a.006.shard"],
                      "s", "--shards", "s")
        self.assertEqual(whole, self.contents())

    def test_folders_are_made_and_go_again_where_it_fails(self):
        data = self.file("a", 100)
        self.refused(["no test of"], "protect", "a", "--out", "x/y",
                     "--memory", 100)
        self.check(0, [], "protect", "a", "--out", "x/y/z")
        self.repaired(data, [], "x/y/z")

    def test_older_shards_are_told(self):
        self.file("a", 5000)
        self.protect("--data", 4, "--parity", 3)
        self.check(0, ["warning: 2 older shards", "a.005.shard"], "protect",
                   "a", "--data", 3, "--parity", 2, "--out", "s")

    def test_a_file_that_does_not_say_its_size_is_refused(self):
        if not pathlib.Path("/proc/version").exists():
            self.skipTest("no /proc here")
        self.refused(["does not say how long"], "protect", "/proc/version",
                     "--out", "s")

    def test_a_whole_shard_is_not_written_over(self):
        data = self.file("a", 5000)
        self.protect("--data", 4, "--parity", 3)
        self.shard(1).unlink()
        # Shard 3 under the name of shard 1.
        self.shard(3).rename(self.shard(1))
        kept = self.shard(1).read_bytes()
        self.refused(["holds shard 3"], "repair", "s", "--shards", "s",
                     "--out", "b")
        self.assertEqual(kept, self.shard(1).read_bytes())
        self.repaired(data, [], "s")

    def test_json(self):
        self.file("a", 5000)
        self.protect("--data", 4, "--parity", 3)
        self.shard(1).unlink()
        self.shard(5).write_bytes(b"x" * 100)
        answer = json.loads(self.check(0, [], "repair", "s", "--out", "out",
                                       "--json"))
        self.assertEqual(answer["missing"], [1, 5])
        self.assertEqual(answer["rebuilt_data"], [1])
        self.assertEqual(answer["damaged"][0]["path"], "s/a.005.shard")
        self.assertIsNone(answer["damaged"][0]["index"])

    def test_data_shards_are_the_file(self):
        data = self.file("a", 1001)
        self.protect("--data", 4, "--parity", 1)
        joined = b"".join(self.shard(i).read_bytes()[HEADER:]
                          for i in range(4))
        self.assertEqual(joined, data + bytes(3))

    def test_protecting_twice_gives_the_same_bytes(self):
        self.file("a", 1001)
        self.protect()
        before = self.contents()
        self.protect("--threads", 1)
        self.assertEqual(before, self.contents())


class Refusals(ShardsTest):
    def test_too_few(self):
        self.file("a", 5000)
        self.protect("--data", 4, "--parity", 2)
        for index in (0, 3):
            self.shard(index).unlink()
        self.shard(1).write_bytes(self.shard(1).read_bytes() + b"x")
        self.refused(["3 shards of the 4 needed are whole", "a.001.shard",
                      "find 1 shard more"], "repair", "s", "--out", "out")

    def test_shards_of_two_files(self):
        self.file("a", 5000)
        self.protect("--data", 4, "--parity", 2)
        self.file("b", 5000, seed=2)
        self.protect("--data", 4, "--parity", 2, name="b")
        self.refused(["shards of two files"], "repair", "s", "--out", "out")
        self.repaired((self.folder / "b").read_bytes(), [],
                      *(self.shard(i, "b") for i in range(1, 5)))

    def test_no_shards(self):
        (self.folder / "e").mkdir()
        self.file("a", 100)
        self.refused([".shard"], "repair", "e", "--out", "out")
        self.refused(["does not begin"], "repair", "a", "--out", "out")
        self.refused(["none"], "repair", "none", "--out", "out")
        self.refused(["--out"], "repair", "a")

    def test_schemes_that_do_not_exist(self):
        self.file("a", 100)
        for data, parity in ((0, 4), (10, 0), (256, 1), (200, 57), (-1, 3)):
            self.refused([], "protect", "a", "--data", data, "--parity",
                         parity, "--out", "s")
        self.refused(["--matrix"], "protect", "a", "--matrix", "x", "--out",
                     "s")

    def test_files_that_can_not_be_read_or_written(self):
        self.refused(["none"], "protect", "none", "--out", "s")
        self.refused(["directory"], "protect", ".", "--out", "s")
        self.file("a", 100)
        self.refused(["folder"], "protect", "a", "--out", "a")
        self.refused(["folder"], "protect", "a", "--out", "a/y")
        self.protect()
        self.refused(["No such file"], "repair", "s", "--out", "x/out")
        self.refused(["one of the shards"], "repair", "s", "--out",
                     self.shard(3))
        self.shard(2).unlink()
        self.refused(["lost shard"], "repair", "s", "--out", self.shard(2),
                     "--shards", "s")

    def test_what_a_folder_can_not_give_counts_as_damaged(self):
        data = self.file("a", 5000)
        self.protect("--data", 4, "--parity", 3)
        self.shard(0).unlink()
        self.shard(0).mkdir()
        self.shard(1).unlink()
        self.shard(1).symlink_to("nowhere")
        self.repaired(data, ["a.000.shard", "Is a directory", "a.001.shard",
                             "No such file", "rebuilt data  0, 1"], "s")
        # What is named must be there.
        self.refused(["No such file"], "repair", self.shard(1), "s", "--out",
                     "out")

    def test_the_file_does_not_go_to_standard_output(self):
        self.file("a", 100)
        self.protect()
        self.refused(["standard output"], "repair", "s", "--out", "-")

    def test_a_full_disk_leaves_nothing(self):
        def limited(*words):
            before = sorted(self.folder.rglob("*"))
            result = subprocess.run(
                [ASSAY, *map(str, words)], cwd=self.folder,
                capture_output=True, check=False,
                preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (1 << 16, 1 << 16)))
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertTrue(result.stderr.startswith(b"error: "))
            self.assertEqual(before, sorted(self.folder.rglob("*")))
        self.file("a", 1 << 18)
        limited("protect", "a", "--data", 2, "--parity", 1, "--out", "s")
        self.protect("--data", 2, "--parity", 1)
        limited("repair", "s", "--out", "out")
        self.shard(0).unlink()
        limited("repair", "s", "--out", "out", "--shards", "s")

    def test_old_output_survives_a_refusal(self):
        self.file("a", 100)
        self.file("out", 7)
        self.protect("--data", 2, "--parity", 1)
        self.shard(0).unlink()
        self.shard(1).unlink()
        self.refused(["1 shard of the 2"], "repair", "s", "--out", "out")

    def test_a_header_may_promise_more_than_there_is(self):
        """A forged header with matching CRCs, of a huge file."""
        def crc64(data):
            out = self.check(0, [], "crc", "-", "--kind", "crc64", data=data)
            return int(out.split()[0], 16)
        for size in (2**64 - 1, 2**63, 10**15):
            fields = b"assay/rs-shard/1" + struct.pack(
                "<IIIIQQQQ", 0, 3, 2, 1, size, size // 3 + (size % 3 != 0),
                1, 0)
            (self.folder / "f.shard").write_bytes(
                fields + struct.pack("<Q", crc64(fields)))
            self.refused(["it holds 0 bytes"], "repair", "f.shard", "--out",
                         "out")


class Kills(ShardsTest):
    def test_killed_work_leaves_no_file_in_its_place(self):
        with open(self.folder / "a", "wb") as file:
            file.truncate(1 << 30)
        (self.folder / "s").mkdir()
        process = subprocess.Popen(
            [ASSAY, "protect", "a", "--out", "s"], cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Killed as soon as the first bytes are beside their place.
        while process.poll() is None and not any(
                path.stat().st_size for path in self.folder.glob("s/*")):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if process.returncode == 0:
            self.skipTest("it was faster than the signal")
        self.assertEqual(list(self.folder.glob("s/*.shard")), [])

    def test_a_killed_repair_leaves_the_old_file(self):
        with open(self.folder / "a", "wb") as file:
            file.truncate(1 << 28)
        self.protect("--data", 4, "--parity", 1)
        self.shard(0).unlink()
        (self.folder / "out").write_bytes(b"old")
        process = subprocess.Popen(
            [ASSAY, "repair", "s", "--out", "out", "--shards", "s"],
            cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        while process.poll() is None and not any(
                path.stat().st_size for path in self.folder.glob("out.*")):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if process.returncode == 0:
            self.skipTest("it was faster than the signal")
        self.assertEqual((self.folder / "out").read_bytes(), b"old")
        self.assertFalse(self.shard(0).exists())

    def test_an_interrupt_leaves_nothing(self):
        with open(self.folder / "a", "wb") as file:
            file.truncate(1 << 30)
        process = subprocess.Popen(
            [ASSAY, "protect", "a", "--out", "s"], cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None and not any(
                path.stat().st_size for path in self.folder.glob("s/*")):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, text = process.communicate(timeout=600)
        if process.returncode == 0:
            self.skipTest("it was faster than the signal")
        self.assertEqual(process.returncode, 1, text)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a"])


if __name__ == "__main__":
    ASSAY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
