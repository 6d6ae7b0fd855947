#!/usr/bin/env python3
# Reads our Touchstone files back with scikit-rf and compares every number.
"""Usage: touchstone_skrf.py touchstone_samples

The argument is the program that writes the samples. Exit status 77 (skipped)
where scikit-rf is not installed.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    import skrf
except ImportError as error:
    print(f"skipped: {error}: tests/planar/requirements.txt is not installed")
    sys.exit(77)


def compare(folder, sample):
    """A sentence on what differs, or None."""
    network = skrf.Network(str(folder / sample["file"]))
    ports = len(sample["z0"])
    frequency = numpy.array(sample["frequency_hz"])
    pairs = numpy.array(sample["s"])
    s = (pairs[:, 0] + 1j * pairs[:, 1]).reshape(-1, ports, ports)
    if network.s.shape != s.shape:
        return f"shape {network.s.shape}, not {s.shape}"
    if numpy.abs(network.f - frequency).max() > 1e-15 * frequency.max():
        return f"frequencies {network.f}"
    if numpy.abs(network.z0 - numpy.array(sample["z0"])).max() != 0:
        return f"impedances {network.z0[0]}"
    worst = numpy.abs(network.s - s).max()
    exact = not sample["file"].startswith(("ma", "db"))
    if worst > (0 if exact else 1e-14):
        return f"S differs by {worst}"
    return None


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[1], name], check=True)
        samples = json.loads((folder / "samples.json").read_text())
        for sample in samples:
            fault = compare(folder, sample)
            if fault:
                failed += 1
                print(f"{sample['file']}: {fault}")
    print(f"scikit-rf {skrf.__version__}")
    print(f"{len(samples) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
