#!/usr/bin/env python3
# Feeds check_house examples of crossed lines, each must be found.
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_house  # noqa: E402

HEAD = "// A sentence.\n// SPDX-License-Identifier: Apache-2.0\n"


def faults(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)) or root,
                        exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        return check_house.check(root)


def include(path, *headers):
    lines = "".join(f"#include {h}\n" for h in headers)
    return faults({path: HEAD + lines})


class Includes(unittest.TestCase):
    def crossed(self, path, header):
        found = include(path, header)
        self.assertTrue(found, f"{path} may include {header}")
        self.assertTrue(any(header.strip('"<>') in f for f in found), found)

    def allowed(self, path, *headers):
        self.assertEqual(include(path, *headers), [])

    def test_down_is_allowed(self):
        self.allowed("assay/number/a.h", '"assay/base/result.h"', "<vector>")
        self.allowed("assay/device/cpu/a.cc", '"assay/device/backend.h"')
        self.allowed("assay/device/open_device.cc", '"assay/device/cpu/a.h"')
        self.allowed("assay/ops/ntt/ntt_cpu.cc",
                     '"assay/ops/ntt/ntt_kernels.h"', "<hwy/highway.h>",
                     '"assay/ops/poseidon2/poseidon2-inl.h"')
        self.allowed("assay/ops/merkle/merkle.cc",
                     '"assay/ops/poseidon2/poseidon2.h"')
        self.allowed("assay/whir/prove.cc", '"assay/runtime/runtime.h"',
                     '"assay/ops/ntt/ntt_kernels.h"')
        self.allowed("cli/prove.cc", '"assay/whir/prove.h"', "<CLI/CLI.hpp>")
        self.allowed("assay/whir/a_test.cc", '"assay/ops/op_list.h"')

    def test_up_is_not(self):
        self.crossed("assay/base/a.h", '"assay/number/b.h"')
        self.crossed("assay/number/a.h", '"assay/device/device.h"')
        self.crossed("assay/device/device.cc", '"assay/device/cpu/a.h"')
        self.crossed("assay/device/cpu/a.cc", '"assay/number/b.h"')
        self.crossed("assay/device/cpu/a.cc", '"assay/device/cuda/b.h"')
        self.crossed("assay/runtime/a.cc", '"assay/whir/prove.h"')
        self.crossed("assay/protocol/a.cc", '"assay/whir/proof.h"')

    def test_sideways_is_not(self):
        self.crossed("assay/whir/prove.cc", '"assay/binary/plan.h"')
        self.crossed("assay/ops/grind/grind_cpu.cc",
                     '"assay/ops/merkle/merkle_kernels.h"')
        self.crossed("assay/whir/prove.cc", '"assay/device/cpu/a.h"')

    def test_meanings_know_no_device(self):
        self.crossed("assay/ops/ntt/ntt.cc", '"assay/device/device.h"')
        self.crossed("assay/ops/ntt/ntt.h", '"assay/ops/ntt/ntt_kernels.h"')

    def test_wgsl_includes_are_read(self):
        found = faults({"assay/ops/a/a_webgpu.wgsl": HEAD +
                        '//#include "assay/whir/b.wgsl"\n'})
        self.assertEqual(len(found), 1, found)

    def test_third_parties_have_homes(self):
        self.crossed("assay/device/cpu/a.cc", "<oneapi/tbb/parallel_for.h>")
        self.crossed("assay/whir/plan.cc", "<nlohmann/json.hpp>")
        self.crossed("assay/ops/ntt/ntt.cc", "<hwy/highway.h>")
        self.crossed("assay/whir/plan.cc", "<CLI/CLI.hpp>")
        self.crossed("assay/base/a.cc", "<boost/any.hpp>")
        self.allowed("assay/whir/plan.cc", "<fmt/format.h>", "<sys/stat.h>")

    def test_unknown_rooms_need_a_row(self):
        self.crossed("assay/attic/a.cc", '"assay/base/result.h"')

    def test_verifiers_are_followed_to_the_end(self):
        found = faults({
            "assay/whir/verify.cc": HEAD + '#include "assay/whir/plan.h"\n',
            "assay/whir/plan.h": HEAD + '#include "assay/device/device.h"\n'})
        self.assertEqual(found, [
            "assay/whir/plan.h:3: assay/whir/verify.cc > assay/whir/plan.h > "
            "assay/device/device.h: a verifier needs no device (or PROVER "
            "lacks a name)"])


class Text(unittest.TestCase):
    def test_first_line_is_a_sentence(self):
        rest = "\n// SPDX-License-Identifier: Apache-2.0\n"
        for caption in ("int x;", "// No full stop", "// Two; clauses.", ""):
            self.assertEqual(len(faults({"assay/base/a.h": caption + rest})),
                             1, caption)
        self.assertEqual(faults({"assay/base/a.h": "// Good." + rest}), [])
        self.assertEqual(
            faults({"tools/a.sh": "#!/bin/sh\n# Good.\n"}), [])

    def test_the_licence_is_named(self):
        self.assertEqual(len(faults({"assay/base/a.h": "// Good.\n"})), 1)

    def test_long_files_are_faults(self):
        self.assertEqual(faults({"assay/base/a.h": HEAD + "\n" * 598}), [])
        self.assertEqual(
            len(faults({"assay/base/a.h": HEAD + "\n" * 599})), 1)


if __name__ == "__main__":
    unittest.main()
