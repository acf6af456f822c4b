#!/usr/bin/env python3
"""No two headers define types of the same name in one namespace: a program with both takes one's functions for the other's,
and no compiler says so. devlib's backends stand in for each other, and are left out.
Usage: names.py ROOT | names.py --self-test
"""
import collections
import re
import sys
import tempfile
from pathlib import Path

FOLDERS = ("cli", "db", "hostlib", "rewriter")
NAMESPACE = re.compile(r"(?:inline )?namespace ([\w:]+) \{")
TYPE = re.compile(r"(?:class|struct|union|enum class|enum) (\w+)(?: final)?(?: :[^;]*)? \{")


def twice(root):
    found = collections.defaultdict(list)
    for folder in FOLDERS:
        for header in sorted((root / folder).rglob("*.h")):
            namespace = ""
            for line in header.read_text().splitlines():
                if match := NAMESPACE.match(line):
                    namespace = match[1]
                elif match := TYPE.match(line):
                    found[f"{namespace}::{match[1]}"].append(str(header.relative_to(root)))
    return [f"{name}: in {' and '.join(headers)}" for name, headers in sorted(found.items()) if len(headers) > 1]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in (("db/a.h", "namespace cui::db {\nclass Row : public Base {\n"), ("db/b/c.h", "namespace cui::db {\nstruct Row {\n"),
                           ("cli/d.h", "namespace cui::cli {\nstruct Row {\nclass Row;\n")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return [] if twice(root) == ["cui::db::Row: in db/a.h and db/b/c.h"] else [f"self-test: {twice(root)}"]


problems = self_test() if sys.argv[1] == "--self-test" else twice(Path(sys.argv[1]))
print("\n".join(problems))
sys.exit(1 if problems else 0)
