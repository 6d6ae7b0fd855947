#!/usr/bin/env python3
# Runs the verbs on a device and on the processor and compares their bytes.
"""Usage: across_devices.py --assay PATH --device cuda

The same files, CRCs, hashes and proofs must come from every device. A verb
whose kernels have no form on the device yet is listed and not counted. The
last line says `N passed, N failed`.
"""
import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

ABSENT = "form yet"  # "kernel X has no cuda form yet"
# What may lack a form, by backend; anything else that does is a fault.
MAY_LACK = {"webgpu": ("crc.", "reed_solomon.")}


class Absent(Exception):
    """The device lacks a kernel that the verb needs."""


class Fault(Exception):
    """What went wrong."""


class Devices:
    def __init__(self, assay, device, folder):
        self.assay, self.device, self.folder = assay, device, folder

    def run(self, device, *words):
        """What a verb prints in JSON; status 0 is expected."""
        command = [self.assay, *map(str, words), "--json"]
        if device:
            command += ["--device", device]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            backend = self.device.partition(":")[0]
            if ABSENT in done.stderr and any(
                    f"kernel {name}" in done.stderr
                    for name in MAY_LACK.get(backend, ())):
                raise Absent(done.stderr.strip().splitlines()[0])
            raise Fault(f"{' '.join(command)}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def both(self, *words):
        return self.run("cpu", *words), self.run(self.device, *words)

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, size):
        """A file of `size` bytes that depend on nothing else."""
        path = self.path(f"{size}.bin")
        if not os.path.exists(path):
            with open(path, "wb") as out:
                out.write(random.Random(size).randbytes(size))
        return path


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def equal(a, b, what):
    if a != b:
        raise Fault(f"{what}: {str(a)[:200]} on cpu, {str(b)[:200]}")


SIZES = (0, 1, 15, 16, 4099, 4194304, 9000001)


def crc(d, kind):
    files = [d.file(size) for size in SIZES]
    equal(*d.both("crc", "--kind", kind, *files), f"crc {kind}")


def ghash(d):
    files = [d.file(size) for size in SIZES]
    equal(*d.both("ghash", "--h", "66e94bd4ef8a2c3b884cfa59ca342b2e", *files),
          "ghash")


def shards(d, matrix, data, parity, size):
    file = d.file(size)
    made = {}
    for device in ("cpu", d.device):
        out = d.path(f"shards-{device.replace(':', '-')}")
        shutil.rmtree(out, ignore_errors=True)
        d.run(device, "protect", file, "--data", data, "--parity", parity,
              "--matrix", matrix, "--out", out)
        made[device] = out
    names = sorted(os.listdir(made["cpu"]))
    for name in names:
        equal(*(digest(os.path.join(out, name)) for out in made.values()),
              f"shard {name}")
    lost = random.Random(size + data).sample(names, parity)
    for name in lost:
        os.remove(os.path.join(made[d.device], name))
    back = d.path("repaired.bin")
    d.run(d.device, "repair", made[d.device], "--out", back,
          "--shards", made[d.device])
    equal(digest(file), digest(back), "the repaired file")
    for name in lost:
        equal(*(digest(os.path.join(out, name)) for out in made.values()),
              f"the repaired shard {name}")


def sumcheck(d, n, factors):
    proofs = []
    for device in ("cpu", d.device):
        proof = d.path(f"sumcheck-{device.replace(':', '-')}.bin")
        d.run(device, "sumcheck", "prove", "--n", n, "--d", factors, "--seed",
              11, "--out", proof)
        proofs.append(proof)
    equal(*map(digest, proofs), f"sum-check n={n} d={factors}")


def whir(d, n, *more):
    proofs = []
    for device in ("cpu", d.device):
        proof = d.path(f"whir-{device.replace(':', '-')}.bin")
        d.run(device, "prove", "--seed", 11, "--n", n, "--out", proof, *more)
        proofs.append(proof)
    equal(*map(digest, proofs), f"whir n={n} {' '.join(map(str, more))}")


def checks():
    """(name, function, arguments)."""
    for kind in ("crc32", "crc32c", "crc64"):
        yield f"crc {kind}", crc, (kind,)
    yield "ghash", ghash, ()
    for matrix, data, parity, size in (
            ("vandermonde", 10, 4, 9000001), ("cauchy", 10, 4, 4194304),
            ("cauchy", 3, 7, 100003), ("vandermonde", 1, 1, 15),
            ("cauchy", 120, 40, 1000000)):
        yield (f"shards {data}+{parity} {matrix}", shards,
               (matrix, data, parity, size))
    for n in (1, 2, 5, 10, 14, 18):
        for factors in (1, 2, 3, 4, 5, 6) if n <= 10 else (2, 3, 4):
            yield f"sum-check n={n} d={factors}", sumcheck, (n, factors)
    for n in (8, 12, 16, 18):
        yield f"whir n={n}", whir, (n,)
    yield "whir n=14 fold 2", whir, (14, "--fold", 2)
    yield ("whir n=14 suffix, 3 points", whir,
           (14, "--order", "suffix", "--points", 3))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assay", required=True)
    parser.add_argument("--device", required=True)
    args = parser.parse_args()
    passed = failed = 0
    absent = {}
    with tempfile.TemporaryDirectory() as folder:
        devices = Devices(os.path.abspath(args.assay), args.device, folder)
        for name, check, words in checks():
            try:
                check(devices, *words)
                passed += 1
            except Absent as reason:
                absent.setdefault(str(reason), []).append(name)
            except Fault as fault:
                failed += 1
                print(f"FAILED {name}: {fault}")
    for reason, names in absent.items():
        print(f"absent: {', '.join(names)}: {reason}")
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
