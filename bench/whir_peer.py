#!/usr/bin/env python3
# Times assay's WHIR prover beside the Rust referee's, turn by turn in one run.
"""whir_peer.py [--assay PATH --referee PATH] [--n 20,22] [--threads 1,2]
             [--fold 4] [--rate 1] [--soundness jb] [--runs 3] [--rounds 5]
             [--out FOLDER]

Where a binary is not named, tools/run/bench.sh builds both first.

Every round starts both programs once, each making `runs` proofs; who goes
first alternates, so that a slow spell of the machine meets both. The figures
are medians over the rounds of each program's own median, and the ratio is
peer / assay: above 1 means that assay is faster. Peak memory is the whole
process's, as the kernel counted it. Steps are assay's alone: the referee
reports none.
"""
import argparse
import datetime
import json
import os
import platform
import statistics
import sys

FIGURES = {  # column: (key in assay's object, key in the referee's)
    "prove_ms": ("prove_ms", "prove_ms"),
    "prove_min_ms": ("prove_min_ms", "prove_min_ms"),
    "prove_cpu_ms": ("prove_cpu_ms", "prove_cpu_ms"),
    "verify_ms": ("verify_ms", "verify_ms"),
    "proof_bytes": ("proof_bytes", "bytes"),
}
STEPS = ("NTT", "leaves", "tree", "sum-check", "weights", "grinding",
         "openings", "other")
SCALED = ("leaves", "tree", "grinding")  # steps that threads divide evenly


def run(command, environment=None):
    """The last JSON object that the command prints, and its peak bytes."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(writer, 1)
        try:
            os.execvpe(command[0], command, {**os.environ,
                                             **(environment or {})})
        except OSError as error:
            print(f"{command[0]}: {error}", file=sys.stderr)
        os._exit(127)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        sys.exit(f"error: {' '.join(command)} ended with {code}\n{text}")
    start = text.find("{")
    if start < 0:
        sys.exit(f"error: {' '.join(command)} printed no JSON\n{text}")
    parsed, _ = json.JSONDecoder().raw_decode(text[start:])
    return parsed, usage.ru_maxrss * 1024


def measure(options, n, threads):
    shape = [str(n), str(options.fold), str(options.rate)]
    assay = [options.assay, "bench", "whir", *shape, "--threads",
             str(threads), "--runs", str(options.runs), "--json"]
    if options.soundness != "jb":  # the default
        assay += ["--soundness", options.soundness]
    peer = [options.referee, "bench", "--n", shape[0], "--fold", shape[1],
            "--rate", shape[2], "--soundness", options.soundness, "--runs",
            str(options.runs)]
    samples = {"assay": [], "peer": []}
    for turn in range(options.rounds):
        for who in (("assay", "peer"), ("peer", "assay"))[turn % 2]:
            samples[who].append(
                run(assay) if who == "assay" else
                run(peer, {"RAYON_NUM_THREADS": str(threads)}))
    row = {"n": n, "fold": options.fold, "rate": options.rate,
           "soundness": options.soundness, "threads": threads}
    for side, who in enumerate(("assay", "peer")):
        row[who] = {"peak_bytes": max(peak for _, peak in samples[who])}
        for column, keys in FIGURES.items():
            values = [parsed[keys[side]] for parsed, _ in samples[who]
                      if keys[side] in parsed]
            if values:
                row[who][column] = statistics.median(values)
        row[who]["rounds"] = [parsed for parsed, _ in samples[who]]
    row["assay"]["steps"] = median_steps(row["assay"]["rounds"])
    row["ratio"] = ratio(row["peer"], row["assay"], "prove_ms")
    row["cpu_ratio"] = ratio(row["peer"], row["assay"], "prove_cpu_ms")
    return row


def ratio(above, below, key):
    """above / below, None where a side lacks the figure."""
    if not above.get(key) or not below.get(key):
        return None
    return above[key] / below[key]


def median_steps(rounds):
    """Milliseconds of each step, the median over the rounds."""
    times = {}
    for parsed in rounds:
        for step in parsed.get("steps", []):
            times.setdefault(step["name"], []).append(step["ms"])
    return {name: statistics.median(values)
            for name, values in times.items()}


def scaling(rows):
    """For each n: time with one thread over that with more, by step."""
    found = []
    for one in rows:
        for more in rows:
            if one["threads"] != 1 or more["threads"] == 1 or (
                    one["n"] != more["n"]):
                continue
            found.append({
                "n": one["n"], "threads": more["threads"],
                "prove": ratio(one["assay"], more["assay"], "prove_ms"),
                "peer_prove": ratio(one["peer"], more["peer"], "prove_ms"),
                "steps": {name: ratio(one["assay"]["steps"],
                                      more["assay"]["steps"], name)
                          for name in SCALED}})
    return found


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def number(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def show(rows):
    print(f"{'n':>3} {'threads':>7} {'assay ms':>9} {'peer ms':>9} "
          f"{'peer/assay':>10} {'CPU ms':>15} {'CPU ratio':>9} "
          f"{'verify ms':>13} {'proof kB':>13} {'peak MiB':>11}")
    for row in rows:
        ours, peer = row["assay"], row["peer"]

        def pair(key, scale, digits):
            return " / ".join(
                number(side[key] / scale if key in side else None, digits)
                for side in (ours, peer))
        print(f"{row['n']:>3} {row['threads']:>7} {ours['prove_ms']:>9.1f} "
              f"{peer['prove_ms']:>9.1f} {number(row['ratio']):>10} "
              f"{pair('prove_cpu_ms', 1, 0):>15} "
              f"{number(row['cpu_ratio']):>9} "
              f"{pair('verify_ms', 1, 2):>13} "
              f"{pair('proof_bytes', 1000, 1):>13} "
              f"{pair('peak_bytes', 1 << 20, 0):>11}")


def show_steps(rows):
    print("\nassay's steps, ms")
    print(f"{'n':>3} {'threads':>7} "
          + " ".join(f"{name:>9}" for name in STEPS))
    for row in rows:
        steps = row["assay"]["steps"]
        print(f"{row['n']:>3} {row['threads']:>7} " + " ".join(
            f"{number(steps.get(name), 1):>9}" for name in STEPS))


def show_scaling(scales):
    if not scales:
        return
    print("\ntime with one thread / time with more")
    print(f"{'n':>3} {'threads':>7} " + " ".join(
        f"{name:>9}" for name in SCALED + ("assay", "peer")))
    for scale in scales:
        values = [scale["steps"][name] for name in SCALED]
        values += [scale["prove"], scale["peer_prove"]]
        print(f"{scale['n']:>3} {scale['threads']:>7} "
              + " ".join(f"{number(value):>9}" for value in values))


def main():
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay")
    parser.add_argument("--referee")
    parser.add_argument("--n", type=numbers, default=[20, 22])
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--fold", type=int, default=4)
    parser.add_argument("--rate", type=int, default=1)
    parser.add_argument("--soundness", default="jb")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", default="build/bench")
    options = parser.parse_args()
    if options.assay is None or options.referee is None:
        # It comes back here with both names; those given follow and win.
        os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        os.execvp("bash", ["bash", "tools/run/bench.sh", "whir-peer",
                           *sys.argv[1:]])

    rows = [measure(options, n, threads) for threads in options.threads
            for n in options.n]
    print(f"{processor()}, {os.cpu_count()} processors; fold {options.fold}, "
          f"rate {options.rate}, {options.soundness} 90 bits; medians of "
          f"{options.rounds} x {options.runs} proofs, assay / peer")
    show(rows)
    show_steps(rows)
    scales = scaling(rows)
    show_scaling(scales)
    os.makedirs(options.out, exist_ok=True)
    path = os.path.join(options.out, "whir_peer.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"date": datetime.date.today().isoformat(),
                   "processor": processor(), "rows": rows,
                   "scaling": scales}, file, indent=1)
    print(f"written to {path}")


if __name__ == "__main__":
    main()
