#!/usr/bin/env python3
# Runs clang-tidy on changed files or on all, and remembers clean ones.
"""tidy.py [--all] [--build build/release]

A file is clean as long as it, the project headers it includes, its compile
command, .clang-tidy and clang-tidy's version stay the same. Without --all:
files that differ from origin/main, or from the commit before where origin/main
is absent or is this commit; a changed header checks the sources beside it.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

TIDY = "clang-tidy-19"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def git(*arguments):
    run = subprocess.run(["git", "-c", f"safe.directory={ROOT}", *arguments],
                         cwd=ROOT, capture_output=True, text=True)
    return run.stdout.split("\n")[:-1] if run.returncode == 0 else None


def changed_files():
    """Paths that differ from the base, or None where git can not tell."""
    base = git("merge-base", "origin/main", "HEAD")
    if not base or base == git("rev-parse", "HEAD"):
        base = git("rev-parse", "--verify", "-q", "HEAD~1")
    if not base:
        return None
    new = git("ls-files", "--others", "--exclude-standard") or []
    return set((git("diff", "--name-only", base[0]) or []) + new)


def read(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()


def closure(path, seen):
    """The project files that `path` includes, itself among them."""
    if path in seen or not os.path.isfile(os.path.join(ROOT, path)):
        return seen
    seen.add(path)
    for header in INCLUDE.findall(read(path).decode("utf-8", "replace")):
        closure(header, seen)
    return seen


def key_of(path, command, common):
    digest = hashlib.sha256(common + command.encode())
    for part in sorted(closure(path, set())):
        digest.update(part.encode() + b"\0" + read(part))
    return digest.hexdigest()


def new_findings(text, shown):
    """The findings of one run that no earlier run has printed."""
    kept, keep = [], False
    for line in text.splitlines():
        if re.match(r"^\S+:\d+:\d+: (error|warning): ", line):
            keep = line not in shown
            shown.add(line)
        if keep:
            kept.append(line)
    return "\n".join(kept)


def check(path, build):
    run = subprocess.run([TIDY, "-p", build, "--quiet", path], cwd=ROOT,
                         capture_output=True, text=True)
    return run.returncode, run.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--build", default="build/release")
    options = parser.parse_args()

    with open(os.path.join(ROOT, options.build, "compile_commands.json"),
              encoding="utf-8") as file:
        commands = {os.path.relpath(entry["file"], ROOT): entry["command"]
                    for entry in json.load(file)}
    wanted = {p: c for p, c in commands.items() if not p.startswith("build")}
    changed = None if options.all else changed_files()
    if changed is not None and ".clang-tidy" not in changed:
        stems = {re.sub(r"(_test)?\.\w+$", "", p) for p in changed}
        wanted = {p: c for p, c in wanted.items() if p in changed
                  or re.sub(r"(_test)?\.\w+$", "", p) in stems}

    version = subprocess.run([TIDY, "--version"], capture_output=True,
                             check=True).stdout
    common = version + read(".clang-tidy")
    memory = os.path.join(ROOT, "build", "tidy")
    os.makedirs(memory, exist_ok=True)
    marks = {path: os.path.join(memory, key_of(path, command, common))
             for path, command in wanted.items()}
    todo = sorted(p for p in wanted if not os.path.exists(marks[p]))
    print(f"clang-tidy: {len(wanted)} files, {len(todo)} to check", flush=True)

    failed, shown = [], set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(check, p, options.build): p for p in todo}
        for job in concurrent.futures.as_completed(jobs):
            status, text = job.result()
            if status == 0:
                open(marks[jobs[job]], "w", encoding="utf-8").close()
            else:
                failed.append(jobs[job])
                print(new_findings(text, shown), flush=True)
    for path in sorted(failed):
        print(f"clang-tidy: {path} is not clean")
    print(f"{len(wanted) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
