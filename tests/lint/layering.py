#!/usr/bin/env python3
"""Checks which part includes what: the dependency arrows of docs/architecture.md, one rule a row."""
import re
import subprocess
import sys
from pathlib import Path

# (files the rule speaks of, includes it forbids, files that may all the same, why)
RULES = [
    (r".*", r"^sqlite3(ext)?\.h$", r"^(db/store/|tests/unit/db/|bench/store_)",
     "only db/store talks to SQLite"),
    (r".*", r"^(clang|llvm)/", r"^rewriter/(driver|constructs|.*main)", "only the rewriter's Clang half links LLVM"),
    (r"^(hostlib|db|cli|rewriter)/", r"^(cuda|cuda_runtime|cuda_runtime_api|device_launch_parameters)\.h$", r"^$",
     "CUDA headers appear only in devlib's backends"),
    (r"^devlib/include/cuinstrument/format/", r"^(?!cuinstrument/format/)", r"^$",
     "the format depends on nothing"),
    (r"^devlib/include/cuinstrument/(instrument\.h$|device/|host/|backend/cuda/)", r"^(cstdint|stdint\.h|inttypes\.h)$", r"^$",
     "programs may declare uint64_t themselves: format/integers.h"),
    (r"^devlib/include/cuinstrument/backend/cuda/", r"cuinstrument/backend/cpu/", r"^$", "backends do not know each other"),
    (r"^devlib/include/cuinstrument/backend/cpu/", r"cuinstrument/backend/cuda/", r"^$", "backends do not know each other"),
    (r"^db/", r"^(hostlib|cli|rewriter)/", r"^$", "db knows only the format"),
    (r"^hostlib/", r"^(cli|rewriter)/", r"^$", "hostlib knows only the format and db/store"),
    (r"^cli/", r"^(hostlib|rewriter)/", r"^$", "the CLI spawns the rewriter and reads traces"),
    (r"^rewriter/", r"^(hostlib|db|cli)/", r"^$", "the rewriter knows only the format"),
    (r"^rewriter/(edit|sites)/", r"^rewriter/(driver|constructs)/", r"^$", "edit and sites stand below the Clang half"),
]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)


def violations(path, text):
    for included in INCLUDE.findall(text):
        for where, what, allowed, why in RULES:
            if re.search(where, path) and re.search(what, included) and not re.search(allowed, path):
                yield f"{path}: includes {included}: {why}"


def self_test():
    bad = [("cli/report.cpp", "#include <sqlite3.h>"), ("db/store/x.cpp", '#include "hostlib/session.h"'),
           ("rewriter/edit/plan.cpp", "#include <clang/AST/Expr.h>"), ("hostlib/a.cpp", "#include <cuda.h>"),
           ("devlib/include/cuinstrument/format/a.h", "#include <vector>"),
           ("devlib/include/cuinstrument/device/a.h", "#include <cstdint>")]
    good = [("db/store/x.cpp", "#include <sqlite3.h>"), ("rewriter/driver/a.cpp", "#include <llvm/ADT/x.h>"),
            ("devlib/include/cuinstrument/format/a.h", '#include "cuinstrument/format/integers.h"')]
    for path, text in bad:
        assert list(violations(path, text)), f"accepted: {path}: {text}"
    for path, text in good:
        assert not list(violations(path, text)), f"rejected: {path}: {text}"


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = Path(sys.argv[1])
    files = subprocess.run(["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"],
                           capture_output=True, text=True, check=True).stdout.splitlines()
    sources = [f for f in files if re.search(r"\.(h|hpp|cpp|cc|cu|cuh|def)$", f) and (root / f).exists()]
    assert len(sources) > 20, "no sources found"
    found = [v for f in sources for v in violations(f, (root / f).read_text(errors="replace"))]
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
