#!/usr/bin/env python3
"""Stands in for the compilers of a project that projects.py builds: passes each line on, and writes down what became of it.

It is called by the name of what it stands in for: nvcc; g++ and c++, which may link what nvcc compiled; launcher, in front of an nvcc that
CMake found. The environment says which form is built (CUI_PROJECT_FORM: plain, instrumented or cpu), and where the rest is.
"""
import json
import os
import sys
import tempfile
import time
from pathlib import Path

SOURCES = (".cu", ".c", ".cc", ".cpp", ".cxx")
ONLY_TEXT = {"-E", "-M", "-MM", "--preprocess", "--generate-dependencies", "--generate-nonsystem-dependencies", "--dryrun"}
ARCHITECTURE = ("-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code")


def setting(name):
    return os.environ.get(f"CUI_PROJECT_{name}", "")


def next_on_path(name):
    own = Path(sys.argv[0]).parent.resolve()
    for folder in os.environ["PATH"].split(os.pathsep):
        if folder and Path(folder).resolve() != own and os.access(f"{folder}/{name}", os.X_OK):
            return f"{folder}/{name}"
    sys.exit(f"{name}: not found")


def with_architecture(words, wanted):
    """The line for another architecture: what old projects name, today's nvcc may have no more."""
    kept, rest = [], iter(words)
    for word in rest:
        if word in ARCHITECTURE:
            next(rest, None)
        elif not word.startswith(tuple(f"{name}=" for name in ARCHITECTURE)):
            kept.append(word)
    return [*kept, f"-arch={wanted}"]


def cuda_sources(words):
    """Words that nvcc takes for CUDA sources to compile; what follows -o, -MF and the like is none."""
    if ONLY_TEXT & set(words):
        return []
    all_are = any(word in ("-x=cu", "-xcu") or pair == ("-x", "cu") for word, pair in zip(words, zip(words, [*words[1:], ""])))
    return [word for before, word in zip(["", *words], words)
            if word.endswith(SOURCES if all_are else ".cu") and not word.startswith("-") and before not in ("-o", "-MF", "-MT", "-MQ")]


def execute(command):
    """Exit code, and seconds of processor time."""
    child = os.spawnvp(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def compile_cuda(nvcc, words):
    form, log, ours = setting("FORM"), Path(setting("LOG")), setting("CUINSTRUMENT")
    if setting("ARCH"):
        words = with_architecture(words, setting("ARCH"))
    sources = cuda_sources(words)
    descriptor, row_file = tempfile.mkstemp(suffix=".json", dir=log)
    os.close(descriptor)
    tables = [f"{row_file}.{number}.sites" for number in range(len(sources))]
    own = ["--emit-metadata", tables[0]] if len(sources) == 1 and form == "instrumented" else []
    os.environ["CUI_PROJECT_INSIDE"] = "1"
    command = {"plain": [nvcc], "instrumented": [ours, *own, "launcher", nvcc], "cpu": [ours, "cpu"]}[form]
    code, seconds = execute([*command, *words])
    if len(sources) > 1 and form == "instrumented":  # --emit-metadata is for one; their time does not count
        flags = [word for word in words if word not in sources]
        for source, table in zip(sources, tables):
            execute([ours, "rewrite", "--emit-metadata", table, "-o", f"{row_file}.cu", source, "--", *flags])
    # A probe that CMake makes is none of the project's.
    if "CMakeFiles" not in os.getcwd() and "CMakeFiles/CMakeScratch" not in " ".join(words):
        Path(row_file).write_text(json.dumps({"began": time.time(), "sources": sources, "code": code, "seconds": seconds,
                                              "tables": [t for t in tables if os.path.exists(t)], "words": words}))
    else:
        os.unlink(row_file)
    sys.exit(code if code >= 0 else 128 - code)


def links(words):
    """Does a C++ compiler link objects here?"""
    return not {"-c", "-E", "-S", "-M", "-MM", "--version", "-v", "-r"} & set(words) and \
        any(word.endswith((".o", ".a", ".so")) for word in words)


def main():
    name, words = os.path.basename(sys.argv[0]), sys.argv[1:]
    if name == "nvcc":
        compile_cuda(setting("NVCC"), words)
    if name == "launcher":
        compile_cuda(words[0], words[1:])
    command = [next_on_path(name), *words]
    if not setting("INSIDE") and setting("FORM") == "cpu":
        command = [setting("CUINSTRUMENT"), "cpu", *words]
        os.environ["CUI_PROJECT_INSIDE"] = "1"
    elif not setting("INSIDE") and setting("FORM") == "instrumented" and links(words):
        command += setting("LINK").split()
    os.execv(command[0], command)


main()
