#!/usr/bin/env python3
# Draws how time and memory of a sweep grow with its unknowns.
# SPDX-License-Identifier: Apache-2.0
"""Usage: planar_growth.py [--assay build/release/assay] [--out growth.svg]
[FILE]: FILE holds lines of `assay bench planar --growth --json`; without it
the bench is run. Prints the table as Markdown and draws both against N on
logarithmic axes.
"""
import argparse
import json
import math
import subprocess
import sys

W, H, LEFT, TOP = 640, 420, 70, 30


def scale(low, high, begin, end):
    a, b = math.log10(low), math.log10(high)
    return lambda v: begin + (math.log10(v) - a) / (b - a) * (end - begin)


def decades(low, high):
    return [10.0**k for k in range(math.floor(math.log10(low)),
                                   math.ceil(math.log10(high)) + 1)]


def curve(rows, key, x, y, colour):
    points = [(x(r["unknowns"]), y(r[key])) for r in rows]
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
    dots = "".join(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>'
                   for a, b in points)
    return (f'<polyline points="{line}" fill="none" stroke="{colour}" '
            f'stroke-width="2"/>{dots}')


def draw(rows):
    n = [r["unknowns"] for r in rows]
    seconds = [r["total_s"] for r in rows]
    megabytes = [r["peak_mb"] for r in rows]
    x_ticks = decades(min(n), max(n))
    t_ticks = decades(min(seconds), max(seconds))
    m_ticks = decades(min(megabytes), max(megabytes))
    right, bottom = W - 70, H - 50
    x = scale(x_ticks[0], x_ticks[-1], LEFT, right)
    t = scale(t_ticks[0], t_ticks[-1], bottom, TOP)
    m = scale(m_ticks[0], m_ticks[-1], bottom, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" '
             'font-family="sans-serif" font-size="12">'
             f'<rect width="{W}" height="{H}" fill="#fff"/>']
    for v in x_ticks:
        parts.append(f'<path d="M{x(v):.1f} {TOP}V{bottom}" stroke="#ddd"/>'
                     f'<text x="{x(v):.1f}" y="{bottom + 18}" '
                     f'text-anchor="middle">{v:g}</text>')
    for v in t_ticks:
        parts.append(f'<path d="M{LEFT} {t(v):.1f}H{right}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 8}" y="{t(v) + 4:.1f}" '
                     f'text-anchor="end" fill="#1f5fa8">{v:g} s</text>')
    for v in m_ticks:
        parts.append(f'<text x="{right + 8}" y="{m(v) + 4:.1f}" '
                     f'fill="#b3541e">{v:g} MB</text>')
    parts.append(curve(rows, "total_s", x, t, "#1f5fa8"))
    parts.append(curve(rows, "peak_mb", x, m, "#b3541e"))
    parts.append(f'<text x="{(LEFT + right) / 2}" y="{H - 12}" '
                 'text-anchor="middle">unknowns</text>')
    parts.append(f'<text x="{LEFT}" y="18">full sheets, 11 frequencies: '
                 'whole sweep (left), peak of the process (right)</text></svg>')
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", default="build/release/assay")
    parser.add_argument("--out", default="")
    parser.add_argument("--runs", default="3")
    parser.add_argument("file", nargs="?")
    args = parser.parse_args()
    if args.file:
        text = open(args.file, encoding="utf-8").read()
    else:
        text = subprocess.run(
            [args.assay, "bench", "planar", "--growth", "--threads", "1",
             "--runs", args.runs,
             "--json"], stdout=subprocess.PIPE, text=True, check=True).stdout
    decoder, rows, text = json.JSONDecoder(), [], text.strip()
    while text:
        row, end = decoder.raw_decode(text)
        rows.append(row)
        text = text[end:].lstrip()
    if len(rows) < 2:
        sys.exit("planar_growth: at least two sizes are needed")
    for row in rows:
        row["peak_mb"] = row["peak_bytes"] / 1e6
    print("| unknowns | sweep, s | exact solutions | steps | peak, MB |")
    print("|---|---|---|---|---|")
    for r in rows:
        print(f'| {r["unknowns"]} | {r["total_s"]:.3g} | {r["exact_solves"]} | '
              f'{r["steps"]} | {r["peak_mb"]:.0f} |')
    if args.out:
        with open(args.out, "w", encoding="utf-8") as out:
            out.write(draw(rows))


if __name__ == "__main__":
    main()
