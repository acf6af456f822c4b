#!/usr/bin/env python3
"""Command lines, each run by nvcc and by `cuinstrument nvcc` in copies of a small project: exit codes, files made, messages and
dependency files have to be the same, and what nvcc makes of CUDA sources has to be instrumented.

    nvcc_lines.py CUINSTRUMENT WORK_FOLDER [--arch 90] [--jobs 2] [--only TEXT] [--keep]

A line of LINES is [flags] | [NAME=VALUE …] words. The flags: `text`, messages differ for a reason that is given; `files`, the
same of files; `plain`, nothing of it is instrumented; `fails`, nvcc is to refuse it; `exact`, dependency files in their order (else as sets); `more`, dependency
files may name more of the system's headers; `columns`, messages show lines that the instrumented form changes."""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

PROJECT = {
    "sub/a.cu": '#include "near.h"\n#include <far.h>\n__global__ void first(float* p) { p[FAR] = near(p); }\n',
    "sub/near.h": "#pragma once\n__device__ inline float near(const float* p) { return 2 * p[0]; }\n",
    "inc/far.h": "#pragma once\n#ifndef FAR\n#define FAR 1\n#endif\n",
    "inc/forced.h": "#define FORCED 1\n",
    "b.cu": '#include "inc/far.h"\n#include <cstdio>\n__global__ void second(int* p) { p[1] = FAR; }\n'
            "int main(int count, char**) {\n  if (count > 5) second<<<1, 1>>>(nullptr);\n  std::puts(\"b ran\");\n  return count > 1 ? 3 : 0;\n}\n",
    "c.cpp": '#include "inc/far.h"\nint third() { return FAR; }\n',
    "my file.cu": "__global__ void fourth(int* p) { p[0] = 4; }\n",
    "kernel.inc": "__global__ void fifth(int* p) { p[0] = 5; }\n",
    "warns.cu": "__global__ void sixth(int* p) { int unused; p[0] = 6; }\n",
    "wrong.cu": "__global__ void seventh(int* p) {\n  p[0] = missing;\n}\n",
    "library.cu": "__global__ void eighth(int* p) { p[0] = 8; }\nvoid launch() { eighth<<<1, 1>>>(nullptr); }\n",
    "lambda.cu": "template <class F> __global__ void ninth(F f) { f(); }\nvoid run(int* p) { ninth<<<1, 1>>>([=] __device__() { p[0] = 9; }); }\n"
                 "#ifdef __CUDA_ARCH__\n#define TILE __shared__\n#else\n#define TILE\n#endif\n"
                 "template <class F> __global__ void tenth(F f) { f(0); }\n"
                 "template <int n> void both(int* p) { auto f = [=] __host__ __device__(int i) { TILE int tile[n]; tile[i] = p[i]; p[i] = tile[0]; };"
                 " tenth<<<1, 1>>>(f); }\nvoid runBoth(int* p) { both<4>(p); }\n",
    "flags.txt": '-DFAR=2 -Iinc "my file.cu"\n-O2',
    "more.txt": "-optf nested.txt -lineinfo",
    "nested.txt": "-DNESTED --std=c++17",
}
LINES = pathlib.Path(__file__).with_name("nvcc_lines.txt")


def read_lines():
    for number, line in enumerate(LINES.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        flags, _, rest = line.partition("|")
        words = rest.strip()
        environment = {}
        while match := re.match(r"([A-Z_]+)=('[^']*'|\S*)\s+", words):
            environment[match[1]] = match[2].strip("'")
            words = words[match.end():]
        yield number, set(flags.split()), environment, words


def snapshot(folder):
    return {str(p.relative_to(folder)): p.stat().st_mtime_ns for p in folder.rglob("*") if p.is_file() and p.name[0] != "."}


def run(folder, command, words, environment, arch):
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in PROJECT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    temporary = folder / ".tmp"
    temporary.mkdir()
    # Several commands behind `&&` each begin with nvcc.
    script = words.replace("ARCH", arch).replace("nvcc ", " ".join(map(shlex.quote, command)) + " ")
    before = snapshot(folder)
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=os.environ | {"TMPDIR": str(temporary), "CUINSTRUMENT": "off"} | environment)
    after = snapshot(folder)
    made = {name for name, time in after.items() if before.get(name) != time}
    left = [p.name for p in temporary.rglob("*")]
    return done, made, left


def normalise(text, folder, columns):
    text = text.replace(str(folder), "<dir>")
    if columns:
        text = re.sub(r"(?m)^ .*\n?", "", text)
    text = re.sub(r"/?\S*tmpxft_\w+-\d+_", "<tmp>", text)
    text = re.sub(r"\d+(\.\d+)? (ms|bytes|registers|barriers)", "<n> \\2", text)  # -res-usage, --time
    return [line for line in text.splitlines() if line.strip()]


def dependencies(path, exact):
    # The folder that links the recorder gives nvcc the toolkit's headers by another name, and our own are in -MD's files.
    text = re.sub(r"/\S*/bin/\.\./\S*?/?include/", "<toolkit>/", path.read_text())
    text = re.sub(r"( \\\n)? *\S*/cuinstrument/\S+", "", text)
    return text.splitlines() if exact else sorted(set(re.split(r"[ \\\n]+", text)))


def difference(one, other):
    changes = [line for line in difflib.unified_diff(one, other, n=0, lineterm="") if line[:2] not in ("--", "++", "@@")]
    return "\n".join(f"    {line}" for line in changes[:20])


def instrumented(folder, made, plain):
    for name in made:
        data = (folder / name).read_bytes()
        # What is compressed cannot be looked into.
        if (plain / name).exists() and len(data) > 10 * (plain / name).stat().st_size:
            return True
        if b"cuiDevice" in data or b"cuiCuda" in data or b"CUI_" in data or b"cuiRegister" in data or b"cui6" in data or b"_ZN3cui" in data:
            return True
    return False


def compare(args, number, flags, environment, words):
    arch = f"-arch=sm_{args.arch}"
    base = pathlib.Path(args.work).absolute() / str(number)
    folders = base / "plain" / "p", base / "ours" / "p"
    plain = run(folders[0], ["nvcc"], words, environment, arch)
    ours = run(folders[1], [str(pathlib.Path(args.cuinstrument).absolute()), "nvcc"], words, environment, arch)
    found = []
    if plain[0].returncode != ours[0].returncode:
        found.append(f"exit code {plain[0].returncode}, with cuinstrument {ours[0].returncode}")
    if ("fails" in flags) != (plain[0].returncode != 0):
        found.append(f"nvcc ends with {plain[0].returncode}: {plain[0].stderr.strip()[:300]}")
    if "files" not in flags and plain[1] != ours[1]:
        found.append(f"files missing: {sorted(plain[1] - ours[1])}, more: {sorted(ours[1] - plain[1])}")
    if set(ours[2]) - set(plain[2]):
        found.append(f"temporary files left: {ours[2]}")
    for name, one, other in (("output", plain[0].stdout, ours[0].stdout), ("messages", plain[0].stderr, ours[0].stderr)):
        one, other = (normalise(text, folder, "columns" in flags) for text, folder in ((one, folders[0]), (other, folders[1])))
        if "text" not in flags and one != other:
            found.append(f"{name}:\n{difference(one, other)}")
    for name in sorted(plain[1] & ours[1]):
        if pathlib.Path(name).suffix == ".d":
            one, other = (dependencies(folder / name, "exact" in flags) for folder in folders)
            if set(one) - set(other) if "more" in flags else one != other:
                found.append(f"{name}:\n{difference(one, other)}")
    if plain[0].returncode == 0 and instrumented(folders[1], ours[1], folders[0]) == ("plain" in flags):
        found.append("instrumented" if "plain" in flags else "not instrumented")
    if not args.keep:
        shutil.rmtree(base, ignore_errors=True)
    return number, words, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cuinstrument")
    parser.add_argument("work")
    parser.add_argument("--arch", default="90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", action="store_true", help="leave the copies of the project")
    args = parser.parse_args()
    if shutil.which("nvcc") is None:
        print("no nvcc here")
        return 77
    lines = [line for line in read_lines() if args.only in line[3] + str(line[2]) or args.only == str(line[0])]
    different = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for number, words, found in pool.map(lambda line: compare(args, *line), lines):
            if not found:
                continue
            different += 1
            print(f"nvcc_lines.txt:{number}: {words}")
            for text in found:
                print(f"  {text}", flush=True)
    print(f"{len(lines)} lines, {different} of them different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
