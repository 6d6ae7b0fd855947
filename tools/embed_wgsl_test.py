#!/usr/bin/env python3
# Feeds embed_wgsl texts, good ones and such as must stop a build.
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import embed_wgsl  # noqa: E402

HEADER = """
struct SharedParams { uint32_t a; };
struct One {
  static constexpr std::string_view kName = "x.one";
  struct Params { uint32_t pad[4]; };
  static std::string_view Wgsl();
};
struct Two {
  static constexpr std::string_view kName = "x.two";
  using Params = SharedParams;
  static std::string_view Wgsl();
};
"""
ONE = "@compute @workgroup_size(64)\nfn x_one() {}\n"
TWO = "@compute @workgroup_size(4, 4)\nfn x_two() {}\n"
PATH = "ops/x/x_webgpu.wgsl"


def made(text, **others):
    with tempfile.TemporaryDirectory() as root:
        files = {PATH: text, "ops/x/x_kernels.h": HEADER,
                 **{f"{name}.wgsl": body for name, body in others.items()}}
        for path, body in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(body)
        return embed_wgsl.generate(PATH, root)


class Embedding(unittest.TestCase):
    def refused(self, words, text, **others):
        with self.assertRaises(embed_wgsl.Fault) as caught:
            made(text, **others)
        self.assertIn(words, str(caught.exception))

    def test_each_kernel_gets_the_text(self):
        text, _ = made(ONE + TWO)
        self.assertIn("std::string_view One::Wgsl() { return kText; }", text)
        self.assertIn("std::string_view Two::Wgsl() { return kText; }", text)
        self.assertIn("fn x_one() {}", text)

    def test_absence_is_written_down(self):
        text, _ = made(ONE + "//#absent x.two\n")
        self.assertIn("std::string_view Two::Wgsl() { return {}; }", text)
        self.refused("x.two", ONE)
        self.refused("x.one", ONE + TWO + "//#absent x.one\n")
        self.refused("x.three", ONE + TWO + "//#absent x.three\n")

    def test_a_function_or_a_comment_is_no_entry_point(self):
        self.refused("x.two", ONE + "fn x_two() {}\n")
        self.refused("x.two", ONE + "// @compute fn x_two() {}\n")
        self.refused("x.two", ONE + "@compute @workgroup_size(1)\n"
                     "fn y() {}\nfn x_two() {}\n")

    def test_a_file_is_taken_once_and_before_what_needs_it(self):
        text, used = made(
            '//#include "a.wgsl"\n//#include "b.wgsl"\n' + ONE + TWO,
            a='//#include "c.wgsl"\n// A\n', b='//#include "c.wgsl"\n// B\n',
            c="// C\n")
        self.assertEqual(text.count("// C\n"), 1)
        self.assertLess(text.index("// C"), text.index("// A"))
        self.assertLess(text.index("// A"), text.index("// B"))
        self.assertEqual(set(used), {PATH, "a.wgsl", "b.wgsl", "c.wgsl",
                                     "ops/x/x_kernels.h"})

    def test_circles_are_refused(self):
        self.refused("included by itself", '//#include "a.wgsl"\n' + ONE + TWO,
                     a='//#include "b.wgsl"\n', b='//#include "a.wgsl"\n')

    def test_missing_files_and_bad_lines_are_named(self):
        self.refused("none.wgsl", '//#include "none.wgsl"\n' + ONE + TWO)
        self.refused(":1:", "//#include <a.wgsl>\n" + ONE + TWO)
        self.refused(")wgsl", ONE + TWO + '// )wgsl"\n')


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
