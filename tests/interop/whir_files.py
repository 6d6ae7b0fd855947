"""Cases with data, points and statements in files, for run_whir.py.

SPDX-License-Identifier: Apache-2.0
"""

import json
import struct

PRIME = 2013265921
MASK = (1 << 64) - 1
POINT_TAG = 0x504F494E54535F31
HEADER_BYTES = 64
SMALL = ["--fold", 3, "--security", 40, "--pow", 4]


def stream(seed, i):
    z = (seed + (i + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return (z ^ z >> 31) % PRIME


def write_evals(path, seed, n):
    values = [stream(seed, i) for i in range(1 << n)]
    path.write_bytes(struct.pack(f"<{len(values)}I", *values))


def seed_points(seed, n, count):
    return [[[stream(seed ^ POINT_TAG, ((t * n + j) * 4 + l))
              for l in range(4)] for j in range(n)] for t in range(count)]


def expect(result, status, *words):
    """None, or why the result is not as expected."""
    text = result.stdout + result.stderr
    if result.returncode != status:
        return f"{result.args} ends with {result.returncode}: {text}"
    for word in words:
        if word not in text:
            return f"{result.args} does not say \"{word}\": {text}"
    return None


def first(*faults):
    return next((fault for fault in faults if fault is not None), None)


def drawn_evals(tools, folder):
    """Given data in DRAWN mode is the seed's proof but for the header."""
    write_evals(folder / "e.bin", 5, 9)
    fault = first(
        expect(tools.assay_prove(["--evals", folder / "e.bin", "--mode",
                                  "drawn", *SMALL], folder / "p.bin"), 0),
        expect(tools.referee_prove(["--seed", 5, "--n", 9, "--soundness",
                                    "jb", "--mode", "drawn", *SMALL],
                                   folder / "r.bin"), 0),
        expect(tools.referee_verify(folder / "p.bin"), 0, "ACCEPT"),
        expect(tools.assay_verify(folder / "p.bin"), 0, "accepted"))
    if fault is not None:
        return fault
    ours = (folder / "p.bin").read_bytes()
    theirs = (folder / "r.bin").read_bytes()
    if ours[48:56] != bytes(8):
        return "the header has a seed, though the data has none"
    if ours[HEADER_BYTES:] != theirs[HEADER_BYTES:]:
        return "the same values made another proof"
    return None


def input_random(tools, folder):
    """Any file at a random point; the referee takes the points' seed."""
    (folder / "in.txt").write_bytes(bytes(range(256)) * 9 + b"tail")
    proof, statement = folder / "p.bin", folder / "s.json"
    return first(
        expect(tools.assay_prove(["--input", folder / "in.txt", "--points",
                                  2, *SMALL, "--statement", statement],
                                 proof), 0),
        expect(tools.referee_verify(proof), 0, "ACCEPT"),
        expect(tools.assay_verify(proof), 0, "accepted"),
        expect(tools.assay_verify(proof, "--statement", statement), 0))


def point_file(tools, folder):
    """Points of one's own verify with the statement, and only with it."""
    n = 10
    write_evals(folder / "e.bin", 6, n)
    points = seed_points(123, n, 2)
    (folder / "points.json").write_text(json.dumps(points))
    (folder / "points.txt").write_text("# two points\n" + "\n".join(
        ", ".join(map(str, x)) for point in points for x in point))
    proof, statement = folder / "p.bin", folder / "s.json"
    flags = ["--evals", folder / "e.bin", *SMALL, "--point"]
    fault = first(
        expect(tools.assay_prove([*flags, folder / "points.json",
                                  "--statement", statement], proof), 0),
        expect(tools.assay_prove([*flags, folder / "points.txt"],
                                 folder / "t.bin"), 0),
        expect(tools.assay_verify(proof, "--statement", statement), 0),
        expect(tools.assay_verify(proof), 2, "--statement"),
        expect(tools.referee_verify(proof), 1, "REJECT"))
    if fault is not None:
        return fault
    if proof.read_bytes() != (folder / "t.bin").read_bytes():
        return "JSON and text make different proofs"
    return None


def seed_points_file(tools, folder):
    """The seed's points from a file make the body that the seed makes."""
    n, seed = 8, 77
    (folder / "points.json").write_text(json.dumps(
        seed_points(seed, n, 1)[0]))
    flags = ["--seed", seed, "--n", n, *SMALL]
    fault = first(
        expect(tools.assay_prove([*flags, "--point",
                                  folder / "points.json"],
                                 folder / "p.bin"), 0),
        expect(tools.referee_prove([*flags, "--soundness", "jb"],
                                   folder / "r.bin"), 0))
    if fault is not None:
        return fault
    ours = (folder / "p.bin").read_bytes()
    theirs = (folder / "r.bin").read_bytes()
    if ours[HEADER_BYTES:] != theirs[HEADER_BYTES:]:
        return "the same points made another proof"
    return None


def other_statement(tools, folder):
    """A proof of one statement is rejected for every other."""
    proof, path = folder / "p.bin", folder / "s.json"
    fault = expect(tools.assay_prove(["--seed", 3, "--n", 8, *SMALL,
                                      "--statement", path], proof), 0)
    if fault is not None:
        return fault
    statement = json.loads(path.read_text())

    def bump(value):
        return (value + 1) % PRIME

    changes = {
        "values": lambda s: s["values"][0].__setitem__(
            2, bump(s["values"][0][2])),
        "commitment": lambda s: s["commitment"].__setitem__(
            7, bump(s["commitment"][7])),
        "points": lambda s: s["points"][0][4].__setitem__(
            0, bump(s["points"][0][4][0])),
        "security": lambda s: s["parameters"].__setitem__("security", 41),
        "seed": lambda s: s.__setitem__("seed", "4"),
    }
    for name, change in changes.items():
        other = json.loads(json.dumps(statement))
        change(other)
        path.write_text(json.dumps(other))
        fault = expect(tools.assay_verify(proof, "--statement", path), 2,
                       "statement", name)
        if fault is not None:
            return fault
    return None


def stricter_header(tools, folder):
    """Two headers for one proof: the peer takes both, assay only one."""
    proof = folder / "r.bin"
    common = ["--security", 40, "--pow", 4, "--soundness", "jb", "--seed", 9]
    for flags in (["--n", 10, "--fold", 2, "--reduction", 1],
                  ["--n", 8, "--fold", 4, "--reduction", 2]):
        fault = first(
            expect(tools.referee_prove([*flags, *common], proof), 0),
            expect(tools.referee_verify(proof), 0, "ACCEPT"),
            expect(tools.assay_verify(proof), 2, "header", "reduction"))
        if fault is not None:
            return fault
    return None


CHECKS = [(check.__doc__, check)
          for check in (drawn_evals, input_random, point_file,
                        seed_points_file, other_statement, stricter_header)]
