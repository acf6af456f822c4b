#!/usr/bin/env python3
"""Architectures that Clang does not know yet: what the program's text has for them is rewritten as for any.

  newer_architectures.py REWRITER
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = """#include <cmath>
__global__ void scale(float* p, float* q) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1300
  p[threadIdx.x] *= 2;
#else
  q[threadIdx.x] *= 3;
#endif
#ifdef __CUDA_ARCH_FEAT_SM130_ALL
  p[0] = sqrtf(__CUDA_ARCH_SPECIFIC__);
#endif
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
  p[1] = __CUDA_ARCH_FAMILY_SPECIFIC__;
#endif
}
"""
PLAIN, OTHER, OWN, FAMILY = "p[threadIdx.x]", "q[threadIdx.x]", "p[0]", "p[1]"
REWRITER = ""


class NewerArchitecturesTest(unittest.TestCase):
    def recorded(self, *flags, options=()):
        """Which of the accesses are."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.cu").write_text(SOURCE)
            done = subprocess.run([REWRITER, "--backend=cpu", *options, "-o", "-", "a.cu", "--", *flags], cwd=folder,
                                  capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {text for text in (PLAIN, OTHER, OWN, FAMILY) if f", {text})" in done.stdout}

    def test_known(self):
        self.assertEqual(self.recorded("-arch=sm_90"), {OTHER})
        self.assertEqual(self.recorded("-arch=sm_90a"), {OTHER, FAMILY})

    def test_newer(self):
        self.assertEqual(self.recorded("-arch=sm_130"), {PLAIN})
        self.assertEqual(self.recorded("-gencode", "arch=compute_130f,code=sm_130f"), {PLAIN, FAMILY})
        self.assertEqual(self.recorded("-arch=sm_130a"), {PLAIN, OWN, FAMILY})

    def test_headers_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            options = [f"--header-cache={folder}/headers"]
            for _ in range(2):
                self.assertEqual(self.recorded("-arch=sm_130", options=options), {PLAIN})
                self.assertEqual(self.recorded("-arch=sm_90", options=options), {OTHER})
                self.assertEqual(self.recorded("-arch=sm_130a", options=options), {PLAIN, OWN, FAMILY})


if __name__ == "__main__":
    REWRITER = sys.argv.pop(1)
    unittest.main()
