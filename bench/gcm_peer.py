#!/usr/bin/env python3
"""AES-256-GCM beside the OpenSSL inside the Python package `cryptography`.

SPDX-License-Identifier: Apache-2.0
usage: gcm_peer.py --gcm-peer PROGRAM [--out FILE]
PROGRAM is bench/gcm_peer.cc as built: it measures ours and the system's
OpenSSL. This script alternates with it and adds the third; best of three. The
package is that of bench/gcm_peer_requirements.txt.
"""

import argparse
import json
import subprocess
import time

from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

ROUNDS = 3
WHAT = "AES-256-GCM seal"


def newest(sizes):
    """GB/s of the package's OpenSSL, into a buffer made before."""
    cipher, iv = AESGCM(bytes(32)), bytes(12)
    figures = {}
    for size in sizes:
        data, out, best = bytes(size), bytearray(size + 16), 1e9
        calls = max(1, min(2000, (1 << 22) // size))
        for _ in range(20):
            begin = time.perf_counter()
            for _ in range(calls):
                cipher.encrypt_into(iv, data, None, out)
            best = min(best, (time.perf_counter() - begin) / calls)
        figures[size] = size / best * 1e-9
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gcm-peer", required=True)
    parser.add_argument("--out")
    flags = parser.parse_args()
    result, best = None, {}
    for _ in range(ROUNDS):
        run = json.loads(subprocess.run([flags.gcm_peer, "5"], check=True,
                                        capture_output=True).stdout)
        sizes = [r["bytes"] for r in run["rows"] if r["what"] == WHAT]
        for size, figure in newest(sizes).items():
            best[size] = max(best.get(size, 0), figure)
        if result is None:
            result = run
        for kept, new in zip(result["rows"], run["rows"]):
            for name in ("assay_gb_s", "openssl_gb_s"):
                kept[name] = max(kept[name], new[name])
    for row in result["rows"]:
        row["ratio"] = round(row["assay_gb_s"] / row["openssl_gb_s"], 2)
        if row["what"] == WHAT:
            row["newest_gb_s"] = round(best[row["bytes"]], 2)
            row["newest_ratio"] = round(
                row["assay_gb_s"] / best[row["bytes"]], 2)
    result["newest"] = backend.openssl_version_text()
    text = json.dumps(result, indent=1)
    print(text)
    if flags.out:
        with open(flags.out, "w", encoding="utf-8") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    main()
