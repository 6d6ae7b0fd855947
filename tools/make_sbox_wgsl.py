#!/usr/bin/env python3
# Writes the WGSL of the S-box of AES from its C++.
"""Usage: make_sbox_wgsl.py [--check]

The circuit stands once, in assay/ops/aes/sbox.h. assay/ops/aes/sbox.wgsl is
made from its gates; with --check the file is compared instead of written.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = "assay/ops/aes/sbox.h"
MADE = "assay/ops/aes/sbox.wgsl"
GATE = re.compile(r"^  const W (\w+ = .*;)$", re.M)

HEAD = """\
// The S-box of AES as a circuit over bit planes.
// SPDX-License-Identifier: Apache-2.0

// Made by tools/make_sbox_wgsl.py from the gates of sbox.h: 115 of them on two
// inputs, no table and no branch. Every bit position of the eight planes is
// one byte, x[0] holding the most significant bits; each becomes its image.
fn sub_planes(x: array<vec4<u32>, 8>) -> array<vec4<u32>, 8> {
"""
TAIL = """\
  return array<vec4<u32>, 8>(s0, s1, s2, s3, s4, s5, s6, s7);
}
"""


def made():
    with open(os.path.join(ROOT, SOURCE), encoding="utf-8") as file:
        gates = GATE.findall(file.read())
    if len(gates) != 115:
        sys.exit(f"error: {SOURCE}: {len(gates)} gates instead of 115")
    return HEAD + "".join(f"  let {gate}\n" for gate in gates) + TAIL


def main(arguments):
    path = os.path.join(ROOT, MADE)
    if arguments == ["--check"]:
        with open(path, encoding="utf-8") as file:
            if file.read() != made():
                sys.exit(f"error: {MADE} is not what {SOURCE} gives; run "
                         "tools/make_sbox_wgsl.py")
    elif arguments:
        sys.exit(__doc__)
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write(made())


if __name__ == "__main__":
    main(sys.argv[1:])
