#!/usr/bin/env python3
"""Sealed files of ours opened by Google Tink, and Tink's by ours.

SPDX-License-Identifier: Apache-2.0
usage: run_tink.py --assay ASSAY-BINARY [--large]
Needs the packages of tests/interop/tink/requirements.txt. With --large also
one file of 1 GiB each way. Prints "N passed, M failed".
"""

import argparse
import hashlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile

import tink
from tink import secret_key_access, streaming_aead

SIZES = {"4KB": 4096, "1MB": 1 << 20}
PIECE = 1 << 16


class Kept(io.BytesIO):
    """A sink whose bytes outlive its close."""

    def close(self):
        self.kept = self.getvalue()
        super().close()


class Peer:
    def __init__(self, assay, folder):
        self.assay = assay
        self.folder = folder
        self.passed = self.failed = 0

    def run(self, *words):
        return subprocess.run([self.assay, *map(str, words)], cwd=self.folder,
                              capture_output=True, check=False)

    def note(self, name, good):
        self.passed += good
        self.failed += not good
        if not good:
            print("failed:", name)

    def primitive(self, segment):
        """Tink's own reader of the keyset that we print."""
        text = self.run("keygen", "--key-file", "key", "--tink", "--segment",
                        segment).stdout.decode()
        handle = tink.json_proto_keyset_format.parse(
            text, secret_key_access.TOKEN)
        return handle.primitive(streaming_aead.StreamingAead)

    def ours(self, verb, source, out, segment, aad):
        bound = ["--aad", aad.hex()] if aad else []
        return self.run(verb, source, "--key-file", "key", "--out", out,
                        "--segment", segment, *bound).returncode

    def case(self, size, segment, aad):
        name = f"{size} bytes, {segment}, {len(aad)} bytes of aad"
        primitive = self.primitive(segment)
        plain = os.urandom(size)
        (self.folder / "plain").write_bytes(plain)

        status = self.ours("seal", "plain", "sealed", segment, aad)
        try:
            with primitive.new_decrypting_stream(
                    open(self.folder / "sealed", "rb"), aad) as stream:
                opened = stream.read()
        except tink.TinkError as error:
            opened = error
        self.note(f"Tink opens ours: {name}", status == 0 and opened == plain)

        sink = Kept()
        with primitive.new_encrypting_stream(sink, aad) as stream:
            view = memoryview(plain)
            while view:
                view = view[stream.write(bytes(view[:PIECE])):]
        (self.folder / "theirs").write_bytes(sink.kept)
        status = self.ours("open", "theirs", "opened", segment, aad)
        self.note(f"ours opens Tink's: {name}", status == 0 and
                  (self.folder / "opened").read_bytes() == plain)

        # Both refuse the same damage.
        damaged = bytearray(sink.kept)
        damaged[len(damaged) // 2] ^= 1
        (self.folder / "damaged").write_bytes(damaged)
        status = self.ours("open", "damaged", "no", segment, aad)
        try:
            with primitive.new_decrypting_stream(
                    io.BytesIO(bytes(damaged)), aad) as stream:
                stream.read()
            refused = False
        except tink.TinkError:
            refused = True
        self.note(f"both refuse damage: {name}", refused and status == 2 and
                  not (self.folder / "no").exists())

    def large(self):
        """1 GiB each way, by hashes."""
        size = 1 << 30
        primitive = self.primitive("1MB")
        block = os.urandom(1 << 20)
        want = hashlib.sha256()
        with open(self.folder / "plain", "wb") as file:
            for _ in range(size // len(block)):
                file.write(block)
                want.update(block)
        status = self.ours("seal", "plain", "sealed", "1MB", b"")
        found = hashlib.sha256()
        with primitive.new_decrypting_stream(
                open(self.folder / "sealed", "rb"), b"") as stream:
            while piece := stream.read(len(block)):
                found.update(piece)
        self.note("Tink opens our 1 GiB",
                  status == 0 and found.digest() == want.digest())
        with primitive.new_encrypting_stream(
                open(self.folder / "theirs", "wb"), b"") as stream:
            for _ in range(size // len(block)):
                view = memoryview(block)
                while view:
                    view = view[stream.write(bytes(view)):]
        status = self.ours("open", "theirs", "opened", "1MB", b"")
        same = subprocess.run(["cmp", "plain", "opened"], cwd=self.folder,
                              check=False).returncode == 0
        self.note("ours opens Tink's 1 GiB", status == 0 and same)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", required=True)
    parser.add_argument("--large", action="store_true")
    flags = parser.parse_args()
    streaming_aead.register()
    with tempfile.TemporaryDirectory() as scratch:
        peer = Peer(os.path.abspath(flags.assay), pathlib.Path(scratch))
        peer.run("keygen", "--out", "key")
        for segment, s in SIZES.items():
            sizes = {0, 1, 15, 16, 17}
            for end in (s - 56, 2 * s - 72, 3 * s - 88):
                sizes |= {end - 1, end, end + 1, end + 16}
            for i, size in enumerate(sorted(sizes)):
                peer.case(size, segment, os.urandom(i % 3 * 20))
        if flags.large:
            peer.large()
    print(f"{peer.passed} passed, {peer.failed} failed")
    return 1 if peer.failed else 0


if __name__ == "__main__":
    sys.exit(main())
