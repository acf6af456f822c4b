#!/usr/bin/env python3
"""Golden cases of the rewriter: see README.md.

  golden.py check  CASE.cu …   instrument, compare with CASE.cu.expected, strip, compile for the CPU backend
  golden.py update CASE.cu …   write CASE.cu.expected from what the rewriter does now (read the diff!)
  golden.py nvcc --standard N  compile all cases whose oldest or newest standard that is with nvcc, as three files
"""
import argparse
import difflib
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GAPS = HERE / "known_gaps.txt"


class Failure(Exception):
    pass


class Case:
    """A case file and its directives: comment lines `// <key>: <value>`."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self.name = f"{self.path.parent.name}/{self.path.stem}"
        self.text = self.path.read_bytes()
        self.expected = self.path.with_name(self.path.name + ".expected")
        self.directives = re.findall(r"^// (rewrite|compile|standard|expect|expect-not|nvcc|cpu): (.*?)\r?$",
                                     self.text.decode("utf-8", "replace"), re.M)

    def values(self, key):
        return [value for k, value in self.directives if k == key]

    def flags(self, key):
        return [flag for value in self.values(key) for flag in shlex.split(value)]

    def value(self, key, default):
        return (self.values(key) or [default])[-1]

    @property
    def forms(self):
        """Each access by itself, so that a case shows one form; `together` and `loop` show how they join."""
        return [] if self.path.parent.name in ("alike", "grid_row", "together", "loop") or "--values" in self.flags("rewrite") else ["--separate"]

    @property
    def standards(self):
        return self.value("standard", "14 17 20").split()


def run(command, **kwargs):
    result = subprocess.run([str(word) for word in command], capture_output=True, **kwargs)
    if result.returncode:
        output = (result.stdout + result.stderr).decode("utf-8", "replace")
        raise Failure(f"exit {result.returncode}: {shlex.join(str(w) for w in command)}\n{output[:4000]}")
    return result.stdout


def instrument(options, source, output, flags, standard, cwd, compile_flags=()):
    kept = ["--header-cache", options.header_cache] if options.header_cache else []
    run([options.rewriter, *kept, *flags, "-o", output, "--emit-metadata", f"{output}.json", source, "--",
         f"-std=c++{standard}", *compile_flags], cwd=cwd)


def mirrors(output):
    folder = pathlib.Path(f"{output}.d")
    return sorted(p for p in folder.rglob("*") if p.is_file()) if folder.is_dir() else []


def normalised(text, case, work):
    """Only what the place of the checkout, the version and Clang's version decide is made the same."""
    text = text.decode("utf-8", "replace")
    text = text.replace(str(work), "<out>").replace(str(case.path.parent), "<dir>")
    text = re.sub(r"\(unnamed (?:union|struct|class|enum) at ", "(unnamed at ", text)  # Clang 19 says it twice
    text = re.sub(r"^CUI_UNIT\(0x[0-9a-f]+,", "CUI_UNIT(<unit>,", text, flags=re.M)
    text = re.sub(r'^(CUI_TABLE_END\(".*", )".*"\)$', r'\1"<version>")', text, flags=re.M)
    return re.sub(r'^(CUI_FILE\(.*), 0x[0-9a-f]+\)$', r"\1, <hash>)", text, flags=re.M)


def whole_output(case, output, work):
    """The instrumented file, then each mirrored header behind a line that names it."""
    parts = [normalised(output.read_bytes(), case, work)]
    for mirror in mirrors(output):
        original = "/" + str(mirror.relative_to(f"{output}.d"))
        title = original.replace(str(case.path.parent), "<dir>")
        parts.append(f"=== {title}\n" + normalised(mirror.read_bytes(), case, work))
    return "".join(parts)


def check_strip(options, case, output):
    pairs = [(output, case.text)]
    for mirror in mirrors(output):
        pairs.append((mirror, pathlib.Path("/", mirror.relative_to(f"{output}.d")).read_bytes()))
    for instrumented, original in pairs:
        if run([options.rewriter, "--strip", "-o", "-", instrumented]) != original:
            raise Failure(f"strip({instrumented.name}) is not the original")


def check_lines(case, output):
    """Every line of the user's keeps its number after the preamble's #line 1."""
    text = output.read_bytes()
    start = text.index(b"\n", text.index(b"\n#line 1 ") + 1) + 1
    body = text[start:text.rindex(b"\n/* cuinstrument: tables")]
    if body.count(b"\n") != case.text.removeprefix(b"\xef\xbb\xbf").count(b"\n"):
        raise Failure("the number of lines changed")


def with_sites_spelled(text):
    """Rows of sites (devlib's format/site_rows.h) as `CUI_SITE(words, "texts")`, which name each text."""
    before = []

    def spell(row):
        # Texts end with a NUL, which is `\\0`, or `\\000` in front of a digit.
        fields = "".join("\0" if token in ("\\0", "\\000") else token for token in
                         re.findall(r"\\000|\\0(?![0-7])|\\[0-7]{3}|\\.|[^\\]", row[1])).split("\0")
        words, texts = fields[0].split(" "), fields[1:-1]
        before[:] = [old if text == "=" else text for text, old in zip(texts, before or texts)]
        return f"CUI_SITE(0x{', '.join(words)}, " + ", ".join(f'"{text}"' for text in before) + ")"

    return re.sub(r'^"([0-9a-f]+ .*\\0)",?$', spell, text, flags=re.M)


def check_directives(case, text):
    """`// expect: X`: X is in the output, not counting the directives themselves."""
    text = with_sites_spelled(text)
    text = re.sub(r"^// expect(-not)?: .*$", "", text, flags=re.M)
    for key, value in case.directives:
        if key not in ("expect", "expect-not"):
            continue
        # A form's number is written `#`.
        pattern = re.sub(r"(CUI_\w+\\\()\\#|\\#(?=,|\\\))", r"\1\\d+", re.escape(value))
        found = re.search(pattern, text)
        if key == "expect" and not found:
            raise Failure(f"not in the output: {value}")
        if key == "expect-not" and found:
            raise Failure(f"in the output, but should not be: {value}")


def compile_for_cpu(options, case, output, standard):
    toolkit = options.include / "cuinstrument/backend/cpu/toolkit"
    precompiled = ["-I", options.precompiled / standard] if options.precompiled else []
    run([options.cxx, f"-std=c++{standard}", "-fsyntax-only", "-w", "-fmax-errors=5", "-x", "c++", *precompiled, "-I",
         options.include, "-I", toolkit, *case.flags("compile"), output], cwd=case.path.parent)


def check(options, case, work, update):
    output = work / case.path.name
    standard = case.standards[-1] if "17" not in case.standards else "17"
    instrument(options, case.path.name, output, [*case.flags("rewrite"), *case.forms], standard,
               case.path.parent, case.flags("compile"))
    text = whole_output(case, output, work)
    if update:
        if not is_gap(case):
            case.expected.write_text(text)
        return
    check_strip(options, case, output)
    check_lines(case, output)
    check_directives(case, text)
    if not is_gap(case):
        expected = case.expected.read_text() if case.expected.exists() else ""
        if text != expected:
            diff = difflib.unified_diff(expected.splitlines(), text.splitlines(), str(case.expected), "rewriter",
                                        lineterm="", n=1)
            raise Failure("\n".join(diff))
    if case.value("cpu", ""):
        return
    # The CPU backend gets its own rewrite: that path parses with devlib's headers instead of a toolkit's. What
    # can be recorded together is, as users have it.
    cpu = work / "cpu"
    cpu.mkdir()
    flags = [flag for flag in case.flags("rewrite") if flag != "--backend=cpu"]
    instrument(options, case.path.name, cpu / case.path.name, [*flags, "--backend", "cpu"], standard,
               case.path.parent, case.flags("compile"))
    check_strip(options, case, cpu / case.path.name)
    compile_for_cpu(options, case, cpu / case.path.name, standard)


def gaps():
    lines = GAPS.read_text().splitlines() if GAPS.exists() else []
    return dict(line.split(None, 1) for line in lines if line and not line.startswith("#"))


def is_gap(case):
    return case.name in gaps()


def check_all(options, update):
    failed = 0
    for path in options.cases:
        case = Case(path)
        with tempfile.TemporaryDirectory() as work:
            try:
                check(options, case, pathlib.Path(work).resolve(), update)
                problem = None
            except Failure as failure:
                problem = str(failure)
        if update:
            print(f"{case.name}: {problem or 'updated'}")
        elif is_gap(case) and not problem:
            problem = f"a known gap that is closed: take it out of {GAPS.name} and run update"
        elif is_gap(case):
            print(f"{case.name}: known gap ({gaps()[case.name]}): {problem.splitlines()[0]}")
            problem = None
        if problem:
            failed += 1
            print(f"{case.name}: FAILED: {problem}")
    return 1 if failed else 0


# Headers that take Clang and nvcc longer than all cases of a standard.
LARGE = re.compile(r"^#include <(cooperative_groups|cub/|cuda/|curand|mma|thrust/)", re.M)

# Cases for which the rewriter parses a file several times, up to five: all cases would be parsed with them. (How often
# shows in how many times it opens cuda.h.)
PARSED_AGAIN = {
    "host_device": ["called_by_host", "constexpr_called_by_host", "declared_first", "lenient", "nothing_calls",
                    "redeclared", "redeclared_by_macro", "specialisation", "specialised_for_device", "toolkit_functions"],
    "assembly": ["text_operands"],
    "launch": ["lists_in_macros", "outside_bodies"],
    "shared_variable": ["constructors", "constructors_extern"],
    "template": ["auto_parameters", "instantiated", "lambda_attributes", "missing_words", "missing_words_overloaded",
                 "missing_words_qualified", "static_afterwards", "value_of_type"],
    "use": ["own_warp_size", "preferred_operators", "void_pointers"],
}


def compile_with_nvcc(options):
    """The cases of one standard, each #included (hence mirrored) in a namespace of its own, in three files: what makes
    the rewriter parse a file again should not make it parse large headers or all cases again. The oldest and the newest
    standard that a case is for: nothing of ours that nvcc compiles asks which one it is."""
    cases = [Case(p) for p in sorted(HERE.glob("*/*.cu"))]
    cases = [c for c in cases if options.standard in (c.standards[0], c.standards[-1]) and not c.values("nvcc") and not is_gap(c)]
    large = [c for c in cases if LARGE.search(c.text.decode("utf-8", "replace"))]
    again = [c for c in cases if c not in large and c.path.stem in PARSED_AGAIN.get(c.path.parent.name, [])]
    try:
        for part in ([c for c in cases if c not in large and c not in again], again, large):
            compile_as_one(options, part)
    except Failure as failure:
        print(failure)
        return 1
    print(f"{len(cases)} cases")
    return 0


def compile_as_one(options, cases):
    if not cases:
        return
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder).resolve()
        source = work / "all.cu"
        # What the cases include themselves must not be included first inside a namespace.
        included = {name for case in cases for name in re.findall(r"^#include (<.*>)", case.text.decode("utf-8", "replace"), re.M)}
        lines = [f"#include {name}" for name in ["<cuda_runtime.h>", *sorted(included)]]
        for number, case in enumerate(cases):
            lines += [f"namespace case_{number} {{", f'#include "{case.path}"', "}"]
        source.write_text("\n".join(lines) + "\n")
        output = work / "out" / "all.cu"
        output.parent.mkdir()
        instrument(options, source, output, [], options.standard, work)
        # ptxas is to accept what is made of them; how well it could translate it is not asked here.
        run(["nvcc", f"-std=c++{options.standard}", f"-arch={options.arch}", "-Xptxas", "-O0", "-w", "-I", options.include,
             "-c", output, "-o", work / "all.o"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["check", "update", "nvcc"])
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--rewriter", required=True, type=pathlib.Path)
    parser.add_argument("--include", type=pathlib.Path, default=HERE.parents[1] / "devlib/include")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--precompiled", type=pathlib.Path, help="has <standard>/cuinstrument/instrument.h.gch")
    parser.add_argument("--header-cache", type=pathlib.Path, help="where the rewriter keeps the toolkit's headers, parsed")
    parser.add_argument("--standard", default="17")
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_intermixed_args()
    if options.mode == "nvcc":
        return compile_with_nvcc(options)
    return check_all(options, options.mode == "update")


if __name__ == "__main__":
    sys.exit(main())
