#!/usr/bin/env python3
"""clang-tidy over the parts that do not include Clang's own headers (those take minutes a file)."""
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tidy, root, build = sys.argv[1:4]
parts = ("hostlib/", "db/", "cli/", "rewriter/edit/", "rewriter/sites/", "devlib/cpu/", "devlib/cuda/")
commands = json.loads((Path(build) / "compile_commands.json").read_text())
INCLUDED = re.compile(r'^#include "(.*)"$', re.M)


def ours(file):
    return Path(file).is_relative_to(root) and str(Path(file).relative_to(root)).startswith(parts)


# Most is compiled in batches (cmake/CuiOptions.cmake), of which each includes some of our files.
files = {c["file"] for c in commands if ours(c["file"])}
# Each file once: not by the targets that compile the same again. The static analyzer looks at no file that another
# includes, and would take most of the time if it were told to look at those of db/ and hostlib/. Of the others' batches
# it is given a copy with the files' text in place of the lines that include them: to read the headers, most of what a
# file takes, for each one anew would take twice as long. Where one function calls another of the same batch, it follows the
# call, as in one file. What of db/ reads single accesses, as in the extension, it looks at.
seen, batches, whole = set(files), set(), {}


def is_extension(command):
    return "cuinstrument_sqlite.dir" in command["file"]


for command in sorted(commands, key=lambda c: (not is_extension(c), c["file"])):
    file = command["file"]
    if not Path(file).name.startswith("unity_"):
        continue
    own = [f for f in INCLUDED.findall(Path(file).read_text()) if ours(f) and f not in seen]
    if not is_extension(command) and any(str(Path(f).relative_to(root)).startswith(("hostlib/", "db/")) for f in own):
        batches.add(file)
    elif own:
        whole[f"unity_{len(whole)}.cpp"] = (command, own)
    seen |= set(own)
# The executor's files are compiled by themselves so that their calls are not inlined: nothing to us.
apart = sorted((c for c in commands if str(Path(c["file"])).startswith(f"{root}/devlib/cpu/exec/")), key=lambda c: c["file"])
files -= {c["file"] for c in apart}
if apart:
    whole[f"unity_{len(whole)}.cpp"] = (apart[0], [c["file"] for c in apart])
listed = subprocess.run(["git", "-C", root, "ls-files", "*.cpp"], capture_output=True, text=True, check=True).stdout.split()
missing = sorted(f for f in listed if f.startswith(parts) and str(Path(root) / f) not in seen)
assert files and not missing, f"neither in compile_commands.json nor in a batch of it: {missing}"


def write_whole(path, own):
    """Adds what each of its lines is: a file, and how many lines are in front of it."""
    lines = []
    for file in own:
        origins[str(path)].append((len(lines), file))
        # A header of its own folder is found from there.
        beside = Path(file).parent
        lines += [f'#include "{beside / header[1]}"' if (header := INCLUDED.fullmatch(text)) and (beside / header[1]).exists()
                  else text for text in Path(file).read_text().splitlines()]
    path.write_text("\n".join(lines) + "\n")


def in_its_file(place):
    """`whole:LINE` as `file:LINE`."""
    before, origin = max((o for o in origins[place[1]] if o[0] < int(place[2])), default=(0, place[1]))
    return f"{origin}:{int(place[2]) - before}"


# A tenth of the paths that the static analyzer would follow in a function: it takes a third of the time.
EXTRA = [f"--extra-arg={a}" for a in ("-Wno-unknown-warning-option", "-Xclang", "-analyzer-config", "-Xclang", "max-nodes=20000")]
CONFIGURED = [f"--config-file={root}/.clang-tidy"]
OF_BATCHES = ["--checks=-clang-analyzer-*,-bugprone-suspicious-include", *CONFIGURED]


def check(file):
    run = subprocess.run([tidy, "-p", database, "--quiet", *EXTRA, *(OF_BATCHES if file in batches else CONFIGURED), file],
                         capture_output=True, text=True)
    places = re.compile(rf"^({re.escape(database)}/unity_[0-9]+\.cpp):([0-9]+)", re.M)
    return places.sub(in_its_file, run.stdout) if run.returncode else ""


with tempfile.TemporaryDirectory() as database, ThreadPoolExecutor(2) as pool:
    origins = {str(Path(database) / name): [] for name in whole}
    for name, (command, own) in whole.items():
        copy = Path(database) / name
        write_whole(copy, own)
        commands.append({**command, "file": str(copy), "command": command["command"].replace(command["file"], str(copy))})
    (Path(database) / "compile_commands.json").write_text(json.dumps(commands))
    # What takes long first, so that it is not left alone at the end.
    longest_first = sorted(origins, key=lambda f: -Path(f).stat().st_size)
    failures = [f for f in pool.map(check, [*longest_first, *sorted(batches), *sorted(files)]) if f]
print("\n".join(failures)[:20000])
sys.exit(1 if failures else 0)
