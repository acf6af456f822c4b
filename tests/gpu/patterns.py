#!/usr/bin/env python3
"""What profiles and loops' records make of many patterns of places (patterns.cu), beside what a record for each access says.

  cuinstrument nvcc -std=c++17 -O2 -arch=sm_90 patterns.cu -o patterns
  cuinstrument --separate nvcc -std=c++17 -O2 -arch=sm_90 patterns.cu -o patterns_separate
  patterns.py --program ./patterns --separate ./patterns_separate --cuinstrument PATH [--faults]

--faults (tallies.cu): also that a profile says what a kernel's lanes had in registers when the device failed, and that traces,
of all blocks or a sample, whose lanes log, have what the blocks did that had ended.

One line a case; exits 1 if anything is not as it must be. Needs a GPU of compute capability 8.0 or later, Python 3 and nothing else.
"""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

# Lanes that go round differently often leave a loop one by one, as the compiler has unrolled it.
UNLIKE = "l.kernel LIKE '%apart%'"
SUMS = f"""
SELECT m.launch_id, l.kernel, s.line, s.expression, s.kind, CASE WHEN {UNLIKE} THEN 0 ELSE m.requests END, m.thread_accesses, m.bytes,
       CASE WHEN {UNLIKE} THEN 0 ELSE m.sectors END, CASE WHEN {UNLIKE} THEN 0 ELSE m.ideal_sectors END, CASE WHEN {UNLIKE} THEN 0 ELSE m.useful_bytes END,
       CASE WHEN {UNLIKE} THEN 0 ELSE m.wavefronts END, CASE WHEN {UNLIKE} THEN 0 ELSE m.ideal_wavefronts END, CASE WHEN {UNLIKE} THEN 0 ELSE m.bank_conflicts END,
       m.max_address - m.min_address
FROM site_metric m JOIN launch l USING (launch_id) JOIN site s USING (site_id) ORDER BY 1, 3, 4, 5"""
# Of the accesses of a launch, each from the least address on.
RECORDS = f"""
WITH least AS (SELECT launch_id, site_id, min(address) AS address FROM access GROUP BY 1, 2)
SELECT a.launch_id, s.line, s.expression, s.kind, a.block_x, a.warp, a.space, a.active_mask, a.bytes, count(*),
       sum(a.address - CASE WHEN a.space = 'global' THEN b.address ELSE 0 END)
FROM access a JOIN launch l USING (launch_id) JOIN site s USING (site_id) JOIN least b USING (launch_id, site_id) WHERE NOT {UNLIKE}
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9"""

# Of blocks that end before a fault; and that there are some.
ENDED = """
SELECT block_x, s.expression, s.kind, count(*), sum(a.active_mask), sum(a.bytes) FROM access a JOIN site s USING (site_id)
WHERE block_x < 15 GROUP BY 1, 2, 3 UNION SELECT -1, '', '', count(*) > 100, 0, 0 FROM access ORDER BY 1, 2, 3"""


class Wrong(Exception):
    pass


def run(program, options, folder, name, mode, arguments=(), **more):
    trace = folder / f"{name}.db"
    settings = {"CUINSTRUMENT_DB": str(trace), "CUINSTRUMENT_MODE": mode, "CUINSTRUMENT_MATERIALIZE": "10000000"}
    done = subprocess.run([program, *arguments], env={**os.environ, **settings, **more}, text=True, capture_output=True, timeout=100)
    if (done.returncode, done.stdout) != (0, "done\n") or (done.stderr and not arguments):
        raise Wrong(f"{name}: exit status {done.returncode}: {done.stdout.strip()} {done.stderr.strip()}")
    database = sqlite3.connect(f"file:{trace}?mode=ro", uri=True)
    if arguments:  # not all of it is there, which is said on stderr, too
        return database
    valid = subprocess.run([options.cuinstrument, "validate", trace], text=True, capture_output=True, timeout=100)
    if valid.returncode != 0:
        raise Wrong(f"{name}: {valid.stdout}{valid.stderr}")
    return database


def same(what, found, expected):
    different = [pair for pair in zip(found, expected) if pair[0] != pair[1]]
    if different or len(found) != len(expected):
        print(f"WRONG {what}: {len(found)} and {len(expected)} rows, {len(different)} differ")
        for pair in different[:4]:
            print(f"   {pair[0]}\n   {pair[1]}")
        return 1
    print(f"ok    {what}: {len(found)} rows", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "separate", "cuinstrument"):
        parser.add_argument(f"--{name}", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--faults", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            one_by_one = run(options.separate, options, folder, "separate", "trace")
            trace = run(options.program, options, folder, "trace", "trace")
            profile = run(options.program, options, folder, "profile", "profile")
            # Of a sample, and if asked for, kernels write the records of their loops themselves.
            in_place = run(options.program, options, folder, "in_place", "trace", CUINSTRUMENT_PLAIN_LAUNCHES="on")
            samples = [run(program, options, folder, f"sample_{i}", "trace", CUINSTRUMENT_SAMPLE_BLOCKS="2")
                       for i, program in enumerate((options.program, options.separate))]
            separate_profile = run(options.separate, options, folder, "separate_profile", "profile")
        except (Wrong, subprocess.TimeoutExpired) as problem:
            print(f"WRONG {problem}")
            sys.exit(1)
        wrong = 0
        if options.faults:
            lost = run(options.program, options, folder, "lost", "profile", ["faults"])
            wrong = same("what a fault loses", lost.execute("SELECT name, severity, value FROM trace_stat WHERE name = 'tallies_lost'").fetchall(),
                         [("tallies_lost", "data_loss", 1)])
            for what, environment in (("of all blocks", {}), ("of a sample", {"CUINSTRUMENT_SAMPLE_BLOCKS": "2"})):
                kept, whole = (run(options.program, options, folder, word, "trace", [word], **environment) for word in ("faults", "ends"))
                wrong += same(f"records {what} that a fault leaves", kept.execute(ENDED).fetchall(), whole.execute(ENDED).fetchall())
        expected = one_by_one.execute(SUMS).fetchall()
        wrong += same("sums of the trace", trace.execute(SUMS).fetchall(), expected)
        wrong += same("sums of the profile", profile.execute(SUMS).fetchall(), expected)
        wrong += same("sums of the profile without loops", separate_profile.execute(SUMS).fetchall(), expected)
        expected = one_by_one.execute(RECORDS).fetchall()
        wrong += same("records", trace.execute(RECORDS).fetchall(), expected)
        wrong += same("records that kernels write", in_place.execute(RECORDS).fetchall(), expected)
        wrong += same("records of a sample", *(sample.execute(RECORDS).fetchall() for sample in samples))
        # Which follow from where each lane is.
        wrong += same("sums of a sample's trace", *(sample.execute(SUMS).fetchall() for sample in samples))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
