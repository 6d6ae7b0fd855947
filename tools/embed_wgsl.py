#!/usr/bin/env python3
# Turns the WGSL of an operation into the C++ file that the program carries.
"""Usage: embed_wgsl.py ops/X/X_webgpu.wgsl OUT.cc [--depfile FILE]
       embed_wgsl.py FILE.wgsl --text > WHOLE.wgsl

A line `//#include "assay/number/gf2_128.wgsl"` stands for that file, which is
taken once however often it is named; a circle is an error. Paths count from
the root of the repository. For each kernel that X_kernels.h names, OUT.cc
defines K::Wgsl(): the whole text where it has the kernel's entry point (its
name with '_' for '.'), nothing where a line `//#absent op.step` says that there
is no form. A kernel with neither stops the build. --text prints what a driver
would be given. docs/webgpu.md has the conventions.
"""
import argparse
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = re.compile(r'^//#include\s+"([^"]+)"\s*$')
ABSENT = re.compile(r"^//#absent\s+(\S+)\s*$", re.M)
NAMED = re.compile(r'struct\s+(\w+)\s*(?:final\s*)?\{|kName\s*=\s*"([^"]+)"|'
                   r"std::string_view\s+(Wgsl)\(\);")
END = ')wgsl"'


class Fault(Exception):
    """What is wrong, with the place."""


def resolve(path, root, taken, chain=()):
    """The lines of `path` with the files that it includes in their places."""
    if path in chain:
        raise Fault(f"{path}: included by itself: {' > '.join(chain)} > {path}")
    if path in taken:
        return []
    taken.append(path)
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise Fault(f"{chain[-1] if chain else path}: {path}: "
                    f"{error.strerror}") from error
    out = []
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            out += resolve(match.group(1), root, taken, chain + (path,))
        elif line.startswith("//#include"):
            raise Fault(f"{path}:{number}: say //#include \"path\"")
        else:
            out.append(line)
    return out


def kernels_of(header):
    """(type, kernel name) of each kernel that declares Wgsl(), in order."""
    kernels, struct, name = [], None, None
    for match in NAMED.finditer(header):
        if match.group(1):
            struct = match.group(1) if match.group(1) != "Params" else struct
        elif match.group(2):
            name = (struct, match.group(2))
        elif name:
            kernels.append(name)
            name = None
    return kernels


def entry_of(kernel):
    return kernel.replace(".", "_")


def has_entry(text, entry):
    code = re.sub(r"//[^\n]*", "", text)
    return re.search(r"@compute\b[^{};]*\bfn\s+" + re.escape(entry) + r"\s*\(",
                     code) is not None


def generate(path, root):
    """(the C++ text, the files that it was made from)."""
    if not path.endswith("_webgpu.wgsl"):
        raise Fault(f"{path}: an operation's file is X_webgpu.wgsl")
    taken = []
    text = "\n".join(resolve(path, root, taken)) + "\n"
    if END in text:
        raise Fault(f"{path}: the text holds {END}")
    header_path = path.removesuffix("_webgpu.wgsl") + "_kernels.h"
    with open(os.path.join(root, header_path), encoding="utf-8") as file:
        kernels = kernels_of(file.read())
    if not kernels:
        raise Fault(f"{header_path}: names no kernel")
    absent = set(ABSENT.findall(text))
    unknown = absent - {name for _, name in kernels}
    if unknown:
        raise Fault(f"{path}: no kernel is called {', '.join(sorted(unknown))}")
    lines, used = [], False
    for struct, name in kernels:
        present = has_entry(text, entry_of(name))
        if present == (name in absent):
            raise Fault(f"{path}: {name} has " + (
                "an entry point and is said to be absent" if present else
                f"no entry point {entry_of(name)}; write it, or say "
                f"//#absent {name}"))
        used = used or present
        lines.append(f"std::string_view {struct}::Wgsl() {{ return "
                     f"{'kText' if present else '{}'}; }}")
    body = (f'namespace {{\nconstexpr std::string_view kText = R"wgsl({text}'
            f"{END};\n}}  // namespace\n\n" if used else "")
    return (f"// Made from {path} by tools/embed_wgsl.py.\n"
            f'#include "{header_path}"\n\nnamespace assay {{\n{body}'
            + "\n".join(lines) + "\n}  // namespace assay\n",
            taken + [header_path])


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source")
    parser.add_argument("out", nargs="?")
    parser.add_argument("--depfile")
    parser.add_argument("--text", action="store_true")
    parser.add_argument("--root", default=ROOT)
    args = parser.parse_args(arguments)
    path = os.path.relpath(os.path.join(os.getcwd(), args.source), args.root)
    try:
        if args.text:
            print("\n".join(resolve(path, args.root, [])))
            return 0
        made, used = generate(path, args.root)
    except Fault as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    os.makedirs(os.path.dirname(os.path.abspath(args.out)), exist_ok=True)
    with open(args.out, "w", encoding="utf-8") as file:
        file.write(made)
    if args.depfile:
        with open(args.depfile, "w", encoding="utf-8") as file:
            names = [os.path.join(args.root, name) for name in used]
            file.write(f"{args.out}: {' '.join(names)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
