#!/usr/bin/env python3
# Compares assay sweep with openEMS on four layouts and prints Markdown.
"""planar_accuracy.py [--assay PATH] [--k 1,2] [--solver auto] [--threads N]
                   [--cases stub_fr4,...]

Needs nothing but Python's standard library and the program, as
`./run build` leaves it. Layouts and openEMS's answers are those of
testdata/planar. `k` divides both sides of a pixel. Columns:

  notch         least |S21|, where its line through three samples is smallest
  of openEMS    the notch over that of openEMS, less 1
  dispersed     the same after Kirschning and Jansen's dispersion moved it
  depth         |S21| at the frequency nearest to the notch
  max dS21      greatest |S21 - openEMS's|, from a tenth of the band on, as
                openEMS is less sure below
  3 GHz         of the line: delay by the phase of S21 over openEMS's, less 1
"""
import argparse
import cmath
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "testdata" / "planar"
CASES = {  # layout: openEMS's answer, GHz up to which dS21 is compared
    "notch_ro4350": ("openems_notch_ro4350.s2p", 3.5),
    "stub_fr4": ("openems_stub_fr4_s0.6.s2p", 3.0),  # the finer of two meshes
    "stub_fr4_lossy": ("openems_stub_fr4_lossy.s2p", 3.0),
    "line_fr4": ("openems_line_fr4.s2p", 6.0),
}


def read_s2p(path):
    """[(hz, S11, S21, S12, S22)] of a file in Hz, real and imaginary."""
    rows = []
    for text in path.read_text(encoding="utf-8").splitlines():
        if text and text[0] not in "!#":
            x = [float(word) for word in text.split()]
            rows.append((x[0], *(complex(*x[i:i + 2]) for i in (1, 3, 5, 7))))
    return rows


def sweep(assay, layout, band, flags=()):
    """The rows of the layout's answer, and what --json says of it."""
    low, high, points = band
    if points == 1:
        band = ["--list", repr(low)]
    else:
        band = ["--from", repr(low), "--to", repr(high), "--points", points]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "layout.json").write_text(json.dumps(layout),
                                            encoding="utf-8")
        done = subprocess.run(
            [assay, "sweep", folder / "layout.json", *map(str, band), "--json",
             "--out", folder / "out.s2p", *map(str, flags)],
            capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"error: assay ended with {done.returncode}\n"
                     f"{done.stdout}{done.stderr}")
        return read_s2p(folder / "out.s2p"), json.loads(done.stdout)


def notch(rows):
    """(frequency, |S21| in dB) of the least |S21|.

    S21 is nearly linear around it: the straight line through three samples
    has its smallest magnitude between them.
    """
    k = min(range(1, len(rows) - 1), key=lambda i: abs(rows[i][2]))
    f = [row[0] for row in rows[k - 1:k + 2]]
    s = [row[2] for row in rows[k - 1:k + 2]]
    slope = (s[2] - s[0]) / (f[2] - f[0])
    mean = sum(s) / 3 - slope * (sum(f) / 3 - f[1])
    return (f[1] - (mean * slope.conjugate()).real / abs(slope) ** 2,
            20 * math.log10(abs(s[1])))


def static_permittivity(er, u):
    """Hammerstad and Jensen, 1980, w/h = u."""
    a = (1 + math.log((u ** 4 + (u / 52) ** 2) / (u ** 4 + 0.432)) / 49
         + math.log(1 + (u / 18.1) ** 3) / 18.7)
    b = 0.564 * ((er - 0.9) / (er + 3)) ** 0.053
    return (er + 1) / 2 + (er - 1) / 2 * (1 + 10 / u) ** (-a * b)


def dispersed_permittivity(er, u, h_mm, hz):
    """Kirschning and Jansen, 1982."""
    fn, static = hz * 1e-9 * h_mm, static_permittivity(er, u)
    p1 = (0.27488 + (0.6315 + 0.525 / (1 + 0.0157 * fn) ** 20) * u
          - 0.065683 * math.exp(-8.7513 * u))
    p2 = 0.33622 * (1 - math.exp(-0.03442 * er))
    p3 = (0.0363 * math.exp(-4.6 * u)
          * (1 - math.exp(-(fn / 38.7) ** 4.97)))
    p4 = 1 + 2.751 * (1 - math.exp(-(er / 15.916) ** 8))
    p = p1 * p2 * ((0.1844 + p3 * p4) * fn) ** 1.5763
    return er - (er - static) / (1 + p)


def slowing(layout, hz):
    """How much dispersion lowers a frequency of the layout's line: a factor."""
    er, h = layout["substrate"]["er"], layout["substrate"]["h"]
    port = layout["ports"][0]
    u = (port["to"] - port["from"]) / h
    return math.sqrt(static_permittivity(er, u)
                     / dispersed_permittivity(er, u, h, hz))


def delays(rows):
    """Phase of S21, unwrapped from 0 at DC, as seconds at each frequency."""
    out, last = [], 0
    for row in rows:
        phase = -cmath.phase(row[2])
        phase += 2 * math.pi * round((last - phase) / (2 * math.pi))
        out.append(phase / (2 * math.pi * row[0]))
        last = phase
    return out


def finer(layout, k):
    return {**layout, "pixel": [side / k for side in layout["pixel"]]}


def percent(x):
    return f"{100 * x:+.2f} %"


def table(heads):
    print("\n| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))


def row_of(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def compare(case, rows, layout, peer):
    """The figures of one answer beside openEMS's, as cells of a row."""
    top = CASES[case][1] * 1e9
    low = peer[-1][0] / 10
    apart = max(abs(a[2] - b[2]) for a, b in zip(rows, peer)
                if low <= a[0] <= top)
    gain = max(abs(row[1]) for row in rows)
    if case == "line_fr4":
        ours, theirs = delays(rows), delays(peer)
        cells = []
        for wanted in (3e9, 6e9):
            i = min(range(len(rows)), key=lambda i: abs(rows[i][0] - wanted))
            shift = ours[i] / theirs[i] - 1
            cells += [percent(shift),
                      percent((1 + shift) / slowing(layout, wanted) - 1)]
    else:
        (hz, depth), (peer_hz, peer_depth) = notch(rows), notch(peer)
        moved = hz * slowing(layout, hz)
        cells = [f"{hz * 1e-9:.4f}", percent(hz / peer_hz - 1),
                 percent(moved / peer_hz - 1)]
        if case == "stub_fr4_lossy":
            cells += [f"{depth:.1f} ({peer_depth:.1f})"]
    return [*cells, f"{apart:.4f}", f"{gain:.6f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("--assay", default=str(ROOT / "build/release/assay"))
    parser.add_argument("--k", default="1,2")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--threads", default="0")
    args = parser.parse_args()
    flags = ["--solver", args.solver, "--threads", args.threads]
    for case in args.cases.split(","):
        layout = json.loads((DATA / f"{case}.json").read_text())
        peer = read_s2p(DATA / CASES[case][0])
        band = (peer[0][0], peer[-1][0], len(peer))
        print(f"\n`{case}`", end="")
        if case == "line_fr4":
            print(": delay beside openEMS's")
            heads = ["3 GHz", "dispersed", "6 GHz", "dispersed"]
        else:
            hz, depth = notch(peer)
            print(f": openEMS has its notch at {hz * 1e-9:.4f} GHz, "
                  f"{depth:.1f} dB")
            heads = ["notch, GHz", "of openEMS", "dispersed"]
            if case == "stub_fr4_lossy":
                heads += ["depth (openEMS), dB"]
        table(["k", "unknowns", "edge correction", *heads,
               f"max dS21 to {CASES[case][1]} GHz",
               "max S11"])
        for k in map(int, args.k.split(",")):
            for edge in (False, True):
                rows, said = sweep(args.assay, finer(layout, k), band,
                                   flags + ["--edge-correction"] * edge)
                row_of(k, said["unknowns"], "yes" if edge else "no",
                       *compare(case, rows, layout, peer))


if __name__ == "__main__":
    main()
