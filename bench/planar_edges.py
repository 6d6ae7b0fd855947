#!/usr/bin/env python3
# Measures what pixels and the edge correction do to lines and resonances.
"""planar_edges.py [--assay PATH] [--quick]

Prints Markdown. Needs nothing but Python's standard library and the program,
as `./run build` leaves it.

The impedance of a line is that of what a second half adds to it: two layouts,
one twice as long, at 100 MHz. A line is its own mirror image, so that
S11 + S21 and S11 - S21 give its impedance and phase, and these its inductance
and capacitance. Their differences are free of ports and ends. They are
compared with `assay line`, the cross-section solver. `n` pixels lie across the
strip; `along` is a pixel's length over its width.

Resonances: where the first reactance of an open line vanishes (k divides both
sides of pixels of 0.5 mm).
"""
import argparse
import cmath
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from planar_accuracy import ROOT, percent, row_of, sweep, table

HZ = 100e6
LENGTH = 40  # mm, of the shorter line
LIGHT = 299792458.0


def strip(er, u, n, along, length):
    """A line of w/h = u on 1 mm, at least `length` mm long."""
    w = u
    dx = w / n * along
    steps = max(4, round(length / dx))
    ports = [{"axis": "x", "at": x, "from": 0, "to": w}
             for x in (0, steps * dx)]
    return {"units": "mm", "substrate": {"er": er, "h": 1}, "pixel": [dx, w / n],
            "metal": [{"rect": [0, steps * dx, 0, w]}], "ports": ports}


def elements(assay, layout, flags):
    """Length in m, inductance and capacitance of a line's layout."""
    rows, _ = sweep(assay, layout, (HZ, HZ, 1), [*flags, "--direct"])
    _, s11, s21, _, _ = rows[0]
    omega = 2 * math.pi * HZ
    even, odd = ((1 - s) / (1 + s) / 50 for s in (s11 + s21, s11 - s21))
    # even = j tan(phase / 2) / z0, odd = -j cot(phase / 2) / z0.
    z0 = 1 / cmath.sqrt(even * odd).real
    phase = 2 * math.atan(cmath.sqrt(-even / odd).real)
    return (layout["ports"][1]["at"] * 1e-3, z0 * phase / omega,
            phase / z0 / omega)


def measured_line(assay, er, u, n, along, flags):
    """(Z0, permittivity) by the difference of two lengths."""
    length = max(LENGTH, 4 * u)
    one = elements(assay, strip(er, u, n, along, length), flags)
    two = elements(assay, strip(er, u, n, along, 2 * length), flags)
    metres, henry, farad = (b - a for a, b in zip(one, two))
    return (math.sqrt(henry / farad),
            henry * farad * (LIGHT / metres) ** 2)


def cross_section(assay, er, u):
    """(Z0, permittivity) of `assay line`."""
    done = subprocess.run([assay, "line", "--er", str(er), "--height", "1",
                           "--width", str(u), "--json"], capture_output=True,
                          text=True, check=True)
    mode = json.loads(done.stdout)["modes"][0]
    return mode["z0_ohm"], mode["eps_eff"]


def resonance(assay, layout, low, high, flags):
    """GHz where the first port's reactance rises through 0."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "layout.json").write_text(json.dumps(layout),
                                            encoding="utf-8")
        done = subprocess.run(
            [assay, "sweep", folder / "layout.json", "--from", f"{low}GHz",
             "--to", f"{high}GHz", "--points", "401", "--out",
             folder / "out.s1p", *flags], capture_output=True, text=True,
            check=False)
        if done.returncode != 0:
            sys.exit(f"error: {done.stdout}{done.stderr}")
        last = None
        for text in (folder / "out.s1p").read_text().splitlines():
            if text[0] in "!#":
                continue
            hz, re, im = map(float, text.split())
            x = (50 * (1 + complex(re, im)) / (1 - complex(re, im))).imag
            if last and last[1] < 0 <= x:
                return (last[0] - last[1] * (hz - last[0]) / (x - last[1])) / 1e9
            last = hz, x
    sys.exit("error: no resonance")


def one_port(k, rects):
    return {"units": "mm", "substrate": {"er": 4.4, "h": 1.6},
            "pixel": [0.5 / k, 0.5 / k],
            "metal": [{"rect": rect} for rect in rects],
            "ports": [{"axis": "x", "at": 0, "from": 0, "to": 3}]}


SHAPES = [  # name, rectangles, band in GHz around the first resonance
    ("open line, 12 mm", [[0, 12, 0, 3]], 2.5, 4),
    ("open line, 36 mm", [[0, 36, 0, 3]], 0.8, 1.4),
    ("step to 15 mm", [[0, 6, 0, 3], [6, 12, -6, 9]], 1, 2.5),
    ("bend", [[0, 8, 0, 3], [5, 8, 3, 8]], 2.5, 3.5),
]
EDGE = ["--edge-correction"]


def lines(assay, ers, us, ns):
    """Errors of Z0 and of the permittivity over er, w/h and n."""
    print("\nZ0 and, in brackets, permittivity beside the cross-section's; "
          "square pixels")
    table(["er", "w/h", "edge correction", *(f"n = {n}" for n in ns)])
    for er in ers:
        for u in us:
            z0, eeff = cross_section(assay, er, u)
            for edge in (False, True):
                cells = []
                for n in ns:
                    found = measured_line(assay, er, u, n, 1, EDGE * edge)
                    cells.append(f"{percent(found[0] / z0 - 1)} "
                                 f"({percent(found[1] / eeff - 1)})")
                row_of(er, u, "yes" if edge else "no", *cells)


def aspects(assay, ns, ratios):
    print("\nZ0 over the pixel's shape; er 4.4, w/h 1.875")
    table(["n", "edge correction", *(f"along = {a}" for a in ratios)])
    z0, _ = cross_section(assay, 4.4, 1.875)
    for n in ns:
        for edge in (False, True):
            row_of(n, "yes" if edge else "no", *(
                percent(measured_line(assay, 4.4, 1.875, n, a, EDGE * edge)[0]
                        / z0 - 1) for a in ratios))


def resonances(assay, ks):
    print("\nresonances in GHz, FR4 of 1.6 mm, both sides of a pixel of "
          "0.5 mm / k; the limit is extrapolated from the two finest in 1/k, "
          "with and without correction, and their mean taken")
    table(["shape", "edge correction", *(f"k = {k}" for k in ks), "limit",
           *(f"k = {k} off by" for k in ks)])
    for name, rects, low, high in SHAPES:
        found = {edge: [resonance(assay, one_port(k, rects), low, high,
                                  EDGE * edge) for k in ks]
                 for edge in (False, True)}
        ends = [f[-1] + (f[-1] - f[-2]) * ks[-2] / (ks[-1] - ks[-2])
                for f in found.values()]
        limit = sum(ends) / 2
        for edge, values in found.items():
            row_of(name, "yes" if edge else "no",
                   *(f"{f:.4f}" for f in values), f"{ends[edge]:.4f}",
                   *(percent(f / limit - 1) for f in values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("--assay", default=str(ROOT / "build/release/assay"))
    parser.add_argument("--quick", action="store_true",
                        help="a few rows of each table")
    args = parser.parse_args()
    if args.quick:
        lines(args.assay, [4.4], [1.875], [3, 6])
        aspects(args.assay, [4], [0.7, 1])
        resonances(args.assay, [1, 2])
        return
    lines(args.assay, [1, 4.4, 10.2], [0.5, 1, 1.875, 3, 10],
          [2, 3, 4, 6, 8, 12])
    aspects(args.assay, [3, 6, 12], [0.7, 1, 1.5])
    resonances(args.assay, [1, 2, 4])


if __name__ == "__main__":
    main()
