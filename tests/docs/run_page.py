#!/usr/bin/env python3
"""Runs the ```sh and ```sql blocks of one page, in order, as a reader would type them.

A comment on the line before a block says what it is not:
  <!-- not run: reason -->     skipped, with a reason a reader may see
  <!-- needs: nvcc -->         run only where that program exists (needs: gpu = never here)
  <!-- exit: 1 -->             the block's last command ends with this code
A table right below an ```sql block, behind the line
  <!-- prints -->
is what the block must print; --update writes it.
An ```sql block that does not define a view is run with stock sqlite3 on trace.db, which an earlier sh block must have made; it must
return at least one row.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

arguments = argparse.ArgumentParser()
for name in ("page", "source", "bin"):
    arguments.add_argument("--" + name, required=True, type=Path)
arguments.add_argument("--update", action="store_true")
options = arguments.parse_args()

BLOCK = re.compile(r"(?:^<!-- (?P<note>[^\n]*?) -->\n)?^```(?P<language>sh|sql)\n(?P<body>.*?)^```\n"
                   r"(?P<prints><!-- prints -->\n(?P<table>(?:\n(?:\|[^\n]*\n)+)?))?", re.M | re.S)
page = options.page.read_text()
updated, copied = "", 0
run = skipped = 0
with tempfile.TemporaryDirectory() as scratch:
    for name in ("examples", "tests", "docs"):
        os.symlink(options.source / name, Path(scratch) / name)
    environment = dict(os.environ, PATH=f"{options.bin}:{os.environ['PATH']}")
    for block in BLOCK.finditer(page):
        note, body = block["note"] or "", block["body"]
        expected = int(note[6:]) if note.startswith("exit: ") else 0
        need = note[7:] if note.startswith("needs: ") else ""
        definition = block["language"] == "sql" and body.startswith("CREATE ")  # shown, not asked
        if definition or note.startswith("not run: ") or need and not shutil.which(need):
            skipped += 1
            continue
        if block["language"] == "sql":
            style = ["-markdown"] if block["prints"] else []
            command = ["sqlite3", "-bail", *style, "trace.db", body]
        else:
            command = ["bash", "-e", "-o", "pipefail", "-c", body]
        result = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True, timeout=150)
        if result.returncode != expected or block["language"] == "sql" and not result.stdout.strip():
            print(f"{options.page.name}: exit {result.returncode}, expected {expected}:\n{body}")
            print(result.stdout[-2000:], result.stderr[-2000:], sep="\n")
            sys.exit(1)
        run += 1
        if block["prints"]:
            table = "\n" + result.stdout
            updated += page[copied:block.start("table")] + table
            copied = block.end("table")
            if table != block["table"] and not options.update:
                print(f"{options.page.name}: is not what this prints:\n{body}\n{result.stdout}")
                sys.exit(1)
if options.update:
    options.page.write_text(updated + page[copied:])
print(f"{run} blocks run, {skipped} not")
sys.exit(0 if run or skipped else 1)
