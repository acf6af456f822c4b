#!/usr/bin/env python3
"""--header-cache: what the rewriter writes is the same with it, whatever has become of the folder.

  header_cache.py REWRITER
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = """#include <cmath>
#ifdef SCALE
__global__ void scale(float* p) { p[threadIdx.x] *= SCALE; }
#else
__global__ void root(float* p) { p[threadIdx.x] = sqrtf(p[blockIdx.x]); }
#endif
"""
REWRITER = ""


class HeaderCacheTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name).resolve()
        self.cache = self.work / "cache" / "headers"
        (self.work / "a.cu").write_text(SOURCE)

    def rewrite(self, *flags, options=None, expected=0):
        """The instrumented text and what was said."""
        done = subprocess.run([REWRITER, "--backend=cpu", *(options or [f"--header-cache={self.cache}"]), "-o", "-", "a.cu",
                               "--", *flags], cwd=self.work, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, expected, done.stderr)
        return done.stdout, done.stderr

    def without(self, *flags):
        return self.rewrite(*flags, options=["--no-header-cache", f"--header-cache={self.cache}"])

    def kept(self):
        return sorted(self.cache.glob("*.pch"))

    def used(self, act):
        """Files that were read during `act`, by the time in which they were last of use."""
        for text in self.cache.glob("*.txt"):
            os.utime(text, (1, 1))
        act()
        return [text.stem for text in self.cache.glob("*.txt") if text.stat().st_mtime > 1]

    def test_is_made_once_and_read(self):
        plain = self.without()
        self.assertIn("root", plain[0])
        self.assertFalse(self.cache.exists())
        self.assertEqual(self.rewrite(), plain)
        first = [(path, path.stat().st_mtime_ns) for path in self.kept()]
        self.assertEqual(len(first), 1)
        self.assertEqual(self.used(lambda: self.assertEqual(self.rewrite(), plain)), [first[0][0].stem])
        self.assertEqual([(path, path.stat().st_mtime_ns) for path in self.kept()], first)

    def test_macros_of_the_headers_have_their_own(self):
        self.rewrite()
        (own,) = self.kept()
        self.assertEqual(self.rewrite("-DSCALE=2.0f"), self.without("-DSCALE=2.0f"))
        self.assertEqual(self.kept(), [own])
        self.assertEqual(self.rewrite("-D__STRICT_ANSI__"), self.without("-D__STRICT_ANSI__"))
        self.assertEqual(len(self.kept()), 2)

    def test_standards_have_their_own(self):
        for standard in ("14", "20"):
            self.assertEqual(self.rewrite(f"-std=c++{standard}"), self.without(f"-std=c++{standard}"))
        self.assertEqual(len(self.kept()), 2)

    def test_a_header_of_the_programs_in_place_of_one(self):
        (self.work / "own").mkdir()
        (self.work / "own" / "math.h").write_text("#define SCALE 3.0f\n#include_next <math.h>\n")
        self.rewrite()
        self.assertEqual(self.used(lambda: self.assertEqual(self.rewrite("-Iown"), self.without("-Iown"))), [])
        self.assertIn("scale", self.rewrite("-Iown")[0])
        (self.work / "other").mkdir()
        self.assertEqual(len(self.used(lambda: self.rewrite("-Iother"))), 1)

    def test_text_in_front_of_all(self):
        (self.work / "front.h").write_text("#define SCALE 3.0f\n")
        self.rewrite()
        act = lambda: self.assertEqual(self.rewrite("-imacros", "front.h"), self.without("-imacros", "front.h"))
        self.assertEqual(self.used(act), [])

    def test_a_header_that_has_changed(self):
        self.rewrite()
        (path,) = self.cache.glob("*.txt")
        before = path.read_text()
        line = next(line for line in before.splitlines() if line.startswith("file "))
        path.write_text(before.replace(line, line + "1"))
        self.assertEqual(self.rewrite(), self.without())
        self.assertIn(line + "\n", path.read_text())

    def test_damage(self):
        plain = self.without()
        self.rewrite()
        (path,) = self.kept()
        for damage in (lambda: path.write_bytes(path.read_bytes()[:1000]), path.unlink, lambda: path.write_bytes(b"")):
            damage()
            self.assertEqual(self.rewrite(), plain)  # made again
            self.assertGreater(path.stat().st_size, 1000000)

    def test_damage_that_the_file_system_does_not_show(self):
        plain = self.without()
        self.rewrite()
        (path,) = self.kept()
        state = path.stat()
        path.write_bytes(b"\0" * state.st_size)
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
        self.assertEqual(self.rewrite(), plain)

    def test_damage_that_ends_the_program(self):
        """Clang's reader trusts what is in the file; 22 has also crashed over files of its own."""
        plain = self.without()
        self.rewrite()
        (path,) = self.kept()
        (text,) = self.cache.glob("*.txt")
        good, described, state = path.read_bytes(), text.read_text(), path.stat()
        crashes = 0
        for part in range(2, 9):
            begin, length = len(good) * part // 16, len(good) // 64
            path.write_bytes(good[:begin] + b"\xff" * length + good[begin + length:])
            text.write_text(described)
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
            self.assertEqual(self.rewrite(), plain)
            if not path.exists():
                crashes += 1
                self.assertEqual(self.used(lambda: self.assertEqual(self.rewrite(), plain)), [])
                self.assertEqual(self.kept(), [])  # until a header changes
        self.assertGreater(crashes, 0)

    def test_errors_are_said_once(self):
        (self.work / "a.cu").write_text("__global__ void k(int* p) { p[0] = nothing; }\n")
        plain = self.rewrite(options=["--no-header-cache"], expected=1)
        self.assertEqual(plain[1].count("nothing"), 2)  # message and line
        for _ in range(2):
            self.assertEqual(self.rewrite(expected=1), plain)

    def test_several_at_once(self):
        plain = self.without()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for result in [pool.submit(self.rewrite) for _ in range(4)]:
                self.assertEqual(result.result(), plain)
        self.assertEqual(len(self.kept()), 1)

    def test_a_folder_that_cannot_be_written(self):
        plain = self.without()
        for folder in ("/proc/no-such-folder", self.work / "a.cu" / "headers"):
            self.assertEqual(self.rewrite(options=[f"--header-cache={folder}"]), plain)

    def test_old_ones_go(self):
        self.cache.mkdir(parents=True)
        for number in range(40):
            for suffix in ("pch", "txt"):
                path = self.cache / f"{number:016}.{suffix}"
                path.write_text("")
                os.utime(path, (number, number))
        self.rewrite()
        names = [path.stem for path in self.kept()]
        self.assertEqual(len(names), 24)
        self.assertNotIn(f"{16:016}", names)
        self.assertIn(f"{17:016}", names)


if __name__ == "__main__":
    REWRITER = sys.argv.pop()
    unittest.main()
