#!/usr/bin/env python3
# Checks who includes whom, each file's first lines, and file lengths.
"""Usage: check_house.py [ROOT]. Exit status 1 and one line for each fault.

The tables below are the rooms of docs/design.md as data. A path is matched by the
first row whose pattern fits; patterns are regular expressions on the path from
the root. Compilers do not check this, and generic tools read neither .cu nor
.wgsl includes.
"""
import os
import re
import sys

BASE = r"assay/base/"
NUMBER = r"assay/(number|hash)/|" + BASE
DEVICE = r"assay/device/[^/]+$"
MEANING = r"assay/ops/\w+/(?!.*_(kernels|cases|cpu|cuda|webgpu)\.)"
KERNELS = r"assay/ops/(op\.h|\w+/\w+_kernels\.h)"
PROTOCOL = r"assay/protocol/(?!.*_prove)"
# The same list as in cmake/AssayTargets.cmake: what assay_verify leaves out.
PROVER = r"(plan|prove|commitment|tables|first_rounds|batch|placement|grinder|prover|work|powers)\."
VERIFY = (f"assay/whir/(?!{PROVER})|"
          r"assay/binary/(statement|proof|columns|verify|verdict)\.|"
          r"assay/planar/(verify|network|unknowns|uprights|surface|"
          r"edge_correction|mesh|options)\.|"
          f"{PROTOCOL}|{MEANING}")
NO_MACHINE = r"assay/(device|runtime)/|.*_kernels\.h$"
ENGINE = f"{DEVICE}|{KERNELS}|{MEANING}|{NUMBER}|assay/(runtime|protocol)/"

# Room: (files, what they may include, in words).
RULES = [
    (r".*_test\.cc$|.*/test_\w+\.h$|tests/", r"", "anything"),
    (r"assay/base/", BASE, "base"),
    (r"assay/(number|hash)/", NUMBER, "number, hash, base"),
    (r"assay/device/open_device\.cc", r"assay/device/|" + BASE,
     "device, its backends, base"),
    (r"assay/device/(\w+)/",
     r"assay/device/(backend|kernel|budget|failures)\.h|assay/device/{0}/|" + BASE,
     "device/backend.h, its own folder, base"),
    (r"assay/device/", f"{DEVICE}|{BASE}", "device, base"),
    (r"assay/ops/op\w*\.", r"assay/ops/|" + f"{DEVICE}|{NUMBER}",
     "ops, device, number, base"),
    (r"assay/ops/(\w+)/\w+_(?:kernels|cases|cpu|cuda|webgpu)\.",
     r"assay/ops/op\.h|assay/ops/{0}/|"
     r"assay/device/cuda/(launch|grid_sum|strided)\.h|"
     + f"{DEVICE}|{MEANING}|{NUMBER}",
     "ops/op.h, its own op, other ops' arithmetic, device, number, base"),
    (r"assay/ops/", f"{MEANING}|{NUMBER}", "op meanings, number, base"),
    (r"assay/protocol/.*_prove", f"assay/protocol/|{KERNELS}|{DEVICE}|"
     f"{MEANING}|{NUMBER}", "protocol, op kernels, device, number, base"),
    (r"assay/protocol/", f"{PROTOCOL}|{MEANING}|{NUMBER}",
     "protocol verifiers, op meanings, number, base"),
    (r"assay/runtime/", r"assay/runtime/|assay/ops/op(_list)?\.h|"
     + f"{DEVICE}|{BASE}", "ops/op_list.h, device, base"),
    (r"assay/whir/", r"assay/whir/|" + ENGINE, "its engine and floors 1-4"),
    (r"assay/binary/", r"assay/binary/|" + ENGINE, "its engine and floors 1-4"),
    (r"assay/planar/", r"assay/planar/|" + ENGINE, "its engine and floors 1-4"),
    (r"bench/", r"bench/|assay/", "the library"),
    (r"assay/capi/|cli/|python/|examples/",
     r"(cli|python|assay/(capi|whir|binary|planar|runtime|number|hash|base))/|"
     r"assay/protocol/challenger\.h|" + DEVICE,
     "engines, runtime, device headers, number, base"),
    (r"assay/", r"(?!)", "nothing: give this room a row in check_house.py"),
]

# Third-party headers: (header, the files that are their home).
TESTS = r".*_test\.cc$|.*/test_\w+\.h$|tests/"
HOMES = [
    (r"(oneapi/)?tbb/", r"assay/base/parallel\.cc"),
    (r"nlohmann/", r"assay/base/json|assay/\w+/\w*(reader|statement)\w*\.cc|"
     r"assay/planar/json_reader\.h|"
     r"cli/|bench/|" + TESTS),
    (r"hwy/", r".*-inl\.h|.*_cpu\.cc|assay/device/cpu/|bench/|" + TESTS),
    (r"png\.h", r"assay/planar/(mask_png|png_image)\.cc|" + TESTS),
    (r"(unsupported/)?Eigen/", r"assay/ops/toeplitz/|"
     r"assay/planar/nodal_factor\.cc"),
    (r"CLI/", r"cli/"),
    (r"openssl/|isa-l", r"bench/|tests/peers/"),
    (r"(gtest|gmock)/", TESTS),
    (r"benchmark/", r"bench/|.*_bench\.cc"),
    (r"cuda|cooperative_groups",
     r"assay/device/cuda/|.*_cuda\.cu|bench/(.*\.cu|ghash_bit_sliced\.h)"),
    (r"webgpu|wgpu|emscripten", r"assay/device/webgpu/"),
    (r"fmt/|sys/|[^/]+$", r""),
]

SOURCE = (".h", ".cc", ".cu", ".wgsl")
COMMENTED = SOURCE + (".py", ".sh", ".cmake", "CMakeLists.txt", "run")
FOLDERS = ("assay", "cli", "python", "web", "bench", "tests", "examples",
           "tools", "cmake")
SKIPPED = {"build", "target", "node_modules", "__pycache__", "venv"}
INCLUDE = re.compile(r'^\s*(?://)?#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')
MOST_LINES, ASK_LINES = 600, 400


def files_of(root):
    found = [f for f in ("run", "CMakeLists.txt")
             if os.path.isfile(os.path.join(root, f))]
    for folder in FOLDERS:
        for where, folders, names in os.walk(os.path.join(root, folder)):
            folders[:] = sorted(set(folders) - SKIPPED)
            found += [os.path.relpath(os.path.join(where, n), root)
                      for n in sorted(names) if n.endswith(COMMENTED)]
    return found


def includes_of(lines):
    """(line number, project header or None, system header or None)."""
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def check_text(path, lines):
    """First line a sentence, second the licence, and not too long."""
    first = 1 if lines and lines[0].startswith("#!") else 0
    mark = "//" if path.endswith(SOURCE) else "#"
    caption = lines[first] if len(lines) > first else ""
    if path.endswith(".py") and caption.startswith('"""'):
        caption = "# " + caption.strip('"')
    if not (caption.startswith(mark + " ") and caption.endswith(".")):
        yield f"{path}:{first + 1}: the first line is no `{mark}` sentence"
    elif ";" in caption:
        yield f"{path}:{first + 1}: the first line holds a semicolon"
    if path.endswith(SOURCE) and not (
            len(lines) > 1 and "SPDX-License-Identifier" in lines[1]):
        yield f"{path}:2: the second line is no SPDX-License-Identifier"
    if len(lines) > MOST_LINES:
        yield f"{path}: {len(lines)} lines, {MOST_LINES} are the most"
    elif len(lines) > ASK_LINES:
        print(f"notice: {path}: {len(lines)} lines, can it be split?")


def check_includes(path, lines):
    """Each include against the first row that names this file."""
    for number, ours, theirs in includes_of(lines):
        for pattern, allowed, words in RULES if ours else []:
            match = re.match(pattern, path)
            if match:
                groups = [re.escape(g or "") for g in match.groups()]
                for i, group in enumerate(groups):
                    allowed = allowed.replace("{%d}" % i, group)
                if not re.match(allowed, ours):
                    yield (f'{path}:{number}: #include "{ours}": '
                           f"this file may include {words}")
                break
        for pattern, homes in HOMES if theirs else []:
            if re.match(pattern, theirs):
                if not re.match(homes, path):
                    yield f"{path}:{number}: <{theirs}> is not at home here"
                break
        else:
            if theirs:
                yield f"{path}:{number}: <{theirs}> has no home in check_house"


def check_verifier(path, graph):
    """Follows a verifier's includes to the end: it needs no machine."""
    chains, seen = [[path]], {path}
    while chains:
        chain = chains.pop()
        for number, header in graph.get(chain[-1], []):
            if re.match(NO_MACHINE, header):
                yield (f"{chain[-1]}:{number}: {' > '.join(chain + [header])}: "
                       "a verifier needs no device (or PROVER lacks a name)")
            elif header not in seen:
                seen.add(header)
                chains.append(chain + [header])


def check(root):
    faults, graph = [], {}
    for path in files_of(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().splitlines()
        faults += check_text(path, lines)
        if path.endswith(SOURCE):
            faults += check_includes(path, lines)
            graph[path] = [(n, ours) for n, ours, _ in includes_of(lines)
                           if ours]
    for path in graph:
        if re.match(VERIFY, path) and re.search(r"(?<!_test)\.cc$", path):
            faults += check_verifier(path, graph)
    return faults


if __name__ == "__main__":
    FAULTS = check(sys.argv[1] if len(sys.argv) > 1 else
                   os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    print("\n".join(FAULTS + [f"check_house: {len(FAULTS)} faults"]))
    sys.exit(1 if FAULTS else 0)
