#!/usr/bin/env python3
# Asks a build with the cuda backend what it says where no GPU is.
"""Usage: without_gpu.py --assay PATH [--carry-less clmad]

`assay devices` has to list the processor and say why there is no GPU, and
every verb with --device cuda has to fail cleanly. The last line says
`N passed, N failed`.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

VERBS = (["prove", "--seed", "1", "--n", "8"],
         ["sumcheck", "prove", "--seed", "1", "--n", "4", "--d", "2"],
         ["crc"], ["ghash", "--h", "66e94bd4ef8a2c3b884cfa59ca342b2e"],
         ["selftest"])


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def devices(assay, form):
    words = run(assay, "devices")
    answer = run(assay, "devices", "--json")
    backends = {b["backend"]: b for b in json.loads(answer.stdout)["backends"]}
    yield "devices: status 0", words.returncode == 0 == answer.returncode
    yield "devices: the processor is listed", words.stdout.startswith("cpu")
    yield ("devices: why there is no GPU",
           "no NVIDIA GPU" in backends["cuda"]["problem"] and
           "no NVIDIA GPU" in words.stdout)
    yield f"devices: {form}", f"products: {form}" in backends["cuda"]["what"]
    yield "devices: no errors", not words.stderr and not answer.stderr


def verbs(assay, folder):
    file, out = (os.path.join(folder, name) for name in ("file", "out"))
    with open(file, "wb") as made:
        made.write(b"123456789")
    for verb in VERBS:
        words = [assay, *verb]
        words += [file] if verb[0] in ("crc", "ghash") else []
        words += ["--out", out] if "prove" in verb else []
        for device in ("cuda", "cuda:0", "cuda:7"):
            done = run(*words, "--device", device)
            yield (f"{' '.join(verb)} --device {device}: {done.stderr!r}",
                   done.returncode == 1 and not done.stdout and
                   done.stderr.startswith("error: no NVIDIA GPU") and
                   "hint: --device cpu" in done.stderr and
                   not os.path.exists(out))
        done = run(*words, "--device", "cuda:x")
        yield (f"{' '.join(verb)} --device cuda:x: {done.stderr!r}",
               done.returncode == 1 and "there is no device" in done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assay", required=True)
    parser.add_argument("--carry-less", default="clmad")
    args = parser.parse_args()
    assay = os.path.abspath(args.assay)
    listed = json.loads(run(assay, "devices", "--json").stdout)["devices"]
    if any(device["device"].startswith("cuda") for device in listed):
        print("a GPU is here: ./run gpu-test tries it")
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for checks in (devices(assay, args.carry_less), verbs(assay, folder)):
            for name, good in checks:
                passed, failed = passed + good, failed + (not good)
                if not good:
                    print("FAILED", name)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
