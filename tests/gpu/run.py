#!/usr/bin/env python3
"""The CUDA backend's recorder on a real GPU: runs every case of `recorder` and checks what its trace holds.

  run.py --recorder PATH [--cuinstrument PATH] [CASE …]

Needs a GPU, Python 3 and nothing else. With --cuinstrument every trace is validated too. Each program has a
time limit. Prints one line per case; exits 1 if any is not as it must be.
"""
import argparse
import os
import struct
import subprocess
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

LIMIT_S = 60
FULL = 0xFFFFFFFF
# site ids of recorder.cu's table
OUT, IN, OUT2, FAR, ODD, EVEN, SHARED, READ, LOCAL, MIXED, STORE = range(0x100, 0x10B)


class Wrong(Exception):
    pass


def expect(what, actual, expected):
    if actual != expected:
        raise Wrong(f"{what}: {actual!r}, expected {expected!r}")


class Trace:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def rows(self, sql, *parameters):
        return self.db.execute(sql, parameters).fetchall()

    def one(self, sql, *parameters):
        return self.rows(sql, *parameters)[0][0]

    def stat(self, name):
        return self.one("SELECT ifnull(sum(value), 0) FROM trace_stat WHERE name = ?", name)

    def lanes(self, launch, site):
        """Addresses by linear thread, of a launch of one block."""
        return [a for (a,) in self.rows(
            """SELECT l.address FROM access_lane l JOIN access a USING (launch_id, sequence)
               WHERE a.launch_id = ? AND a.site_id = ? ORDER BY a.warp, l.lane""", launch, site)]

    def allocation(self, name, nth=0):
        return self.rows("SELECT address FROM allocation WHERE name = ? ORDER BY allocation_id", name)[nth][0]


def affine(t):
    out = t.allocation("out")
    expect("launch", t.rows("SELECT kernel, grid_x, block_x, error, entered, gpu_end_ns > gpu_begin_ns, "
                            "gpu_begin_ns BETWEEN host_begin_ns - 1000000 AND host_end_ns + 100000000 FROM launch"),
           [("affine", 2, 64, 0, 1, 1, 1)])
    expect("records", t.rows("SELECT block_x, warp, active_mask, address, stride, bytes, space FROM access "
                             "WHERE site_id = ? ORDER BY block_x, warp", OUT),
           [(b, w, FULL, out + 4 * (64 * b + 32 * w), 4, 4, "global") for b in (0, 1) for w in (0, 1)])
    expect("freed", t.one("SELECT freed_ns > allocated_ns FROM allocation WHERE name = 'out'"), 1)
    expect("copies", [a for (a,) in t.rows("SELECT api FROM memory_operation ORDER BY begin_ns")],
           ["cudaMemset", "cudaMemcpy"])


def irregular(t):
    source = t.allocation("out", 0)
    expect("gathered addresses", t.lanes(1, IN), [source + 4 * (i * i % 97) for i in range(64)])
    expect("strides", t.rows("SELECT DISTINCT site_id, stride FROM access ORDER BY 1"), [(IN, None), (OUT2, 4)])


def far_apart(t):
    base = t.allocation("out")
    expect("addresses", t.lanes(1, FAR), [base + i * (5 << 30) for i in range(32)])


def divergent(t):
    expect("masks", t.rows("SELECT site_id, active_mask, stride FROM access ORDER BY site_id"),
           [(OUT, 0xFFFFFF, 4), (ODD, 0xAAAAAA, 4), (EVEN, 0x555555, 4)])


def together(t):
    source, target = t.allocation("out", 0), t.allocation("out", 1)
    for launch, width in ((1, 64), (2, 8)):
        for warp in (0, 1):
            lanes = [(32 * warp + lane) for lane in range(32)]
            r = [4 * (i % width + 20 * (i // width)) for i in lanes]
            squares = [source + 4 * (i * i % 97) for i in lanes]
            here, there = [source + x for x in r], [target + x for x in r]
            steps = [(IN, here), (OUT2, there), (OUT, [1024 + a for a in here]), (IN, here[:20]), (OUT, there[:20]),
                     (IN, squares), (OUT, there), (IN, here), (MIXED, there[:16] + r[16:])]
            found = accesses_by_lane(t, launch, warp)
            for lane in range(32):
                expect(f"launch {launch} warp {warp} lane {lane}", found[lane],
                       [(site, places[lane]) for site, places in steps if lane < len(places)])


def met(t):
    """Three sites' lanes in each call; the three together follow one stride."""
    per_site = 3 * 64 * 2 * 5  # launches, blocks, warps, rounds
    expect("masks", t.rows("SELECT site_id, active_mask, stride, count(*) FROM access GROUP BY 1, 2, 3 ORDER BY 1"),
           [(OUT, 0x000FFFFF, 4, per_site), (ODD, 0xF8000000, 4, per_site), (EVEN, 0x07F00000, 4, per_site)])


def accesses_by_lane(t, launch, warp):
    """(site, address) in the order of each lane: where records take the ring, lanes that have parted can stay apart."""
    found = [[] for _ in range(32)]
    for lane, site, address in t.rows(
            """SELECT l.lane, a.site_id, l.address FROM access a JOIN access_lane l USING (launch_id, sequence)
               WHERE a.launch_id = ? AND a.warp = ? ORDER BY a.sequence""", launch, warp):
        found[lane].append((site, address))
    return found


def loops(t):
    source, target = t.allocation("out", 0), t.allocation("out", 1)
    for launch, width, n in ((1, 64, 40), (2, 8, 5)):
        for warp in (0, 1):
            found = accesses_by_lane(t, launch, warp)
            for lane in range(32):
                i = 32 * warp + lane
                r = i % width + 20 * (i // width)
                steps = [x for k in range(n) for x in ((IN, source + 4 * (r + 3 * k)), (OUT, target + 4 * r))]
                steps += [(OUT2, source + 4 * k) for k in range(n + 30, 29, -7)]
                for k in (0, 2, 4):
                    steps += [(site, source + 4 * (r + k + more)) for site, more in ((MIXED, 0), (IN, 64), (MIXED, 128))]
                    steps += [(OUT, target + 4 * i)]
                steps += [(IN, source + 4 * (r + k)) for k in range(3 if lane < 20 else 2)]
                steps += [(OUT2, source + 4 * (i * i % 97 + k)) for k in range(2)]
                steps += [(MIXED, source + 4 * n)]
                steps += [(OUT, target + 4 * i)] * (2 if lane < 20 else 0)
                expect(f"launch {launch} warp {warp} lane {lane}", found[lane], steps)


def spaces(t):
    expect("shared", t.rows("SELECT address, stride FROM access WHERE site_id = ? ORDER BY 1", SHARED),
           [(0, 8), (256, 4)])
    expect("shared variables", t.rows("SELECT v.name, l.address, l.bytes FROM launch_shared_variable l "
                                      "JOIN shared_variable v USING (shared_variable_id) ORDER BY 2"),
           [("tile", 0, 256), ("dynamic", 256, 128)])
    expect("reads", [s for (s,) in t.rows("SELECT space FROM access WHERE site_id = ? ORDER BY 1", READ)],
           ["constant", "global"])
    expect("__device__ variable", t.one("SELECT address FROM access WHERE site_id = ? AND space = 'global'", READ),
           t.allocation("table"))
    expect("local", t.one("SELECT DISTINCT space FROM access WHERE site_id = ?", LOCAL), "local")
    expect("mixed", t.rows("SELECT space, active_mask FROM access WHERE site_id = ? ORDER BY 1", MIXED),
           [("global", 0xFFFF), ("shared", 0xFFFF0000)])
    expect("managed variable", t.one("SELECT count(*) FROM allocation WHERE name = 'managedCount' AND address <> 0"), 1)


def values(t):
    for launch, (code, base) in enumerate((("B", 200), ("h", -5), ("i", 1 << 20), ("d", 0.5)), 1):
        for site in (IN, STORE):
            got = [v for (v,) in t.rows("SELECT value FROM access_lane l JOIN access a USING (launch_id, sequence) "
                                        "WHERE a.launch_id = ? AND a.site_id = ? ORDER BY lane", launch, site)]
            expect(f"values of launch {launch}", got, [struct.pack("<" + code, base + i) for i in range(32)])


def streams(t):
    out = t.allocation("out")
    expect("launches", t.rows("SELECT launch_id, requests, min_address, max_address FROM site_metric ORDER BY 1"),
           [(n + 1, 8, out + n * 1024, out + n * 1024 + 1023) for n in range(32)])
    expect("streams", t.one("SELECT count(DISTINCT stream_id) FROM launch"), 4)


def many(t):
    expect("requests", t.rows("SELECT requests, thread_accesses FROM site_metric"), [(204800, 204800 * 32)])
    barriers(t, 1)


def barriers(t, launch):
    """Each of the 512 * 8 warps makes 50 accesses, with a barrier behind each; their lowest lane tells."""
    expect("barriers", t.rows("""SELECT count(*), sum(lane), min(passed), max(passed) FROM
                                 (SELECT DISTINCT block, warp, lane, passed FROM warp_barrier WHERE launch_id = ?)""", launch),
           [(204800, 0, 1, 50)])
    events = t.rows("""SELECT sequence, 0, block_x, warp, 0 FROM access WHERE launch_id = ?
                       UNION ALL SELECT sequence, -1, block, warp, passed FROM warp_barrier WHERE launch_id = ? ORDER BY 1, 2, 5""",
                    launch, launch)
    passed, accesses = {}, {}
    for _, kind, block, warp, count in events:
        if kind:
            passed[block, warp] = count
        else:
            accesses.setdefault((block, warp), []).append(passed.get((block, warp), 0))
    expect("warps", len(accesses), 4096)
    expect("barriers before each access", [w for w, each in accesses.items() if each != list(range(50))], [])


def flood(t):
    expect("requests", t.rows("SELECT launch_id, requests FROM site_metric ORDER BY 1"),
           [(1, 4096000), (2, 4096000), (3, 40960)])


def branches(t):
    """Lanes that parted come together again: as many requests as the plain kernel makes."""
    expect("masks", t.rows("SELECT site_id, active_mask, count(*) FROM access GROUP BY 1, 2 ORDER BY 1"),
           [(OUT, FULL, 2400), (OUT2, 0x1F, 2400), (ODD, 0xAAAAAAAA, 2400), (EVEN, 0xFFFFFE00, 2400)])
    expect("order", t.one("""SELECT count(*) FROM (SELECT site_id, lag(site_id) OVER
                             (PARTITION BY block_x, warp ORDER BY sequence) AS before FROM access
                             WHERE site_id IN (?, ?)) WHERE site_id = before""", OUT, OUT2), 0)


def failing(t):
    """The device fails when all blocks but one have recorded, and the last one, too: another process can still read its memory."""
    expect("launches", t.rows("SELECT launch_id, requests, thread_accesses FROM site_metric ORDER BY 1"), [(1, 4, 128), (2, 4, 128)])
    expect("said", (t.stat("device_failed"), t.stat("pool_not_read") + t.stat("profile_not_read")), (1, 0))


def drops(t):
    dropped = t.stat("records_dropped")
    if dropped == 0:
        raise Wrong("nothing was dropped: the case shows nothing on this machine")
    # The kernel's entry may be among the dropped.
    kept = t.one("SELECT count(*) FROM access")
    if kept + dropped not in (204800, 204801):
        raise Wrong(f"{kept} records kept and {dropped} dropped of 204800")


def errors(t):
    expect("launches", t.rows("SELECT error <> 0, ifnull((SELECT requests FROM site_metric m "
                              "WHERE m.launch_id = l.launch_id), 0) FROM launch l ORDER BY launch_id"),
           [(1, 0), (0, 1), (0, 1)])


def graph(t):
    """The captured launch is the first run; the others have launches of their own."""
    expect("three replays", t.rows("SELECT launch_id, requests FROM site_metric ORDER BY 1"), [(1, 4), (2, 4), (3, 4)])
    expect("launches", t.rows("SELECT kernel, grid_x, block_x, entered FROM launch"), [("affine", 2, 64, 1)] * 3)
    expect("stat", t.stat("graph_runs"), 2)


def graph_many(t):
    """Blocks that fill many chunks, in five runs of a graph, whose warps meet at barriers."""
    expect("runs", t.rows("SELECT launch_id, requests FROM site_metric ORDER BY 1"), [(n, 204800) for n in range(1, 6)])
    for launch in range(1, 6):
        barriers(t, launch)


def reset(t):
    expect("launches", t.rows("SELECT launch_id, requests FROM site_metric ORDER BY 1"), [(1, 4), (2, 4)])


def running(t):
    """`run_case` has looked while it ran."""
    expect("both warps of both blocks", t.rows("SELECT block_x, warp, count(*) > 500 FROM access GROUP BY 1, 2 ORDER BY 1, 2"),
           [(b, w, 1) for b in (0, 1) for w in (0, 1)])


def unannounced(t):
    expect("launch", t.rows("SELECT kernel, grid_x, block_x FROM launch"), [("affine", 2, 64)])
    expect("requests", t.one("SELECT sum(requests) FROM site_metric"), 4)
    expect("said", t.stat("launch_not_announced"), 1)


def unsynchronized(t):
    expect("requests", t.one("SELECT sum(requests) FROM site_metric"), 512 * 8 * 20)


RING = {"CUINSTRUMENT_POOL": "0"}  # every record through the ring
TINY = {**RING, "CUINSTRUMENT_BUFFER": "128K"}
SMALL = {"CUINSTRUMENT_POOL": "380M"}  # runs out with 64 warps on each of 132 multiprocessors
FEW = {**SMALL, "CUINSTRUMENT_CHUNKS": "1M"}  # fewer chunks than warps
NONE = {**SMALL, "CUINSTRUMENT_CHUNKS": "0"}
def sampled(t):
    """Of 512 blocks, those whose number times the golden ratio is in the first quarter (format/record.h)."""
    chosen = [b for b in range(512) if b * 0x9E3779B1 % 2**32 <= (2**32 - 1) // 4]
    expect("blocks", t.rows("SELECT block_x, count(*) FROM access GROUP BY 1 ORDER BY 1"), [(b, 400) for b in chosen])
    expect("stat", t.stat("blocks_sampled"), 4)


def sampled_warps(t):
    """The same of the eight warps of each block, numbered 32 a block."""
    chosen = [(b, w, 50) for b in range(512) for w in range(8) if (b * 32 + w) * 0x9E3779B1 % 2**32 <= (2**32 - 1) // 4]
    expect("warps", t.rows("SELECT block_x, warp, count(*) FROM access GROUP BY 1, 2 ORDER BY 1, 2"), chosen)
    expect("stat", t.stat("warps_sampled"), 4)


def selected(t):
    """Launches 5 to 8 of 32 in four streams, made without waiting for any."""
    out = t.allocation("out")
    expect("launches", t.rows("SELECT launch_id, requests, min_address FROM site_metric ORDER BY 1"),
           [(n, 8, out + (n - 1) * 1024) for n in range(5, 9)])
    expect("rows", t.one("SELECT count(*) FROM launch"), 32)
    expect("stat", t.stat("launches_left_out"), 28)


def left_out(t):
    """Only the first launch counts, whatever the second records until it is switched off."""
    expect("launches", t.rows("SELECT launch_id, requests, thread_accesses FROM site_metric"), [(1, 4096 * 50, 4096 * 50 * 32)])
    expect("rows", t.one("SELECT count(*) FROM launch"), 3002)
    expect("stat", t.stat("launches_left_out"), 3001)


def timed(t):
    """The 4,096 warps of `many` make 50 accesses each, one after the other, while the launch runs."""
    expect("warps", t.rows("SELECT count(*), min(accesses), max(accesses), min(end_ns - begin_ns) > 0, min(end_clock - begin_clock) > 0 FROM warp_time"),
           [(4096, 50, 50, 1, 1)])
    expect("warps of a block are on one multiprocessor", t.rows("SELECT DISTINCT multiprocessors FROM (SELECT count(DISTINCT sm_id) AS multiprocessors "
                                                                "FROM warp_time GROUP BY block)"), [(1,)])
    expect("multiprocessors", t.one("SELECT min(sm_id) >= 0 AND max(sm_id) < (SELECT multiprocessors FROM device) AND count(DISTINCT sm_id) > 1 FROM warp_time"), 1)
    early, late = t.rows("SELECT min(begin_ns) - gpu_begin_ns, max(end_ns) - gpu_end_ns FROM warp_time, launch")[0]
    if early < -CLOCKS_NS or late > CLOCKS_NS:
        raise Wrong(f"accesses from {early} ns after the launch's beginning to {late} ns after its end")
    expect("accesses", t.one("SELECT count(*) FROM access JOIN access_time USING (launch_id, sequence)"), 204800)
    expect("order", t.one("""SELECT count(*) FROM (SELECT time_ns < lag(time_ns) OVER own OR clock <= lag(clock) OVER own AS wrong
                             FROM access JOIN access_time USING (launch_id, sequence) WINDOW own AS (PARTITION BY block_x, warp ORDER BY sequence))
                             WHERE wrong"""), 0)


CLOCKS_NS = 100000  # between the events that time a launch, and %globaltimer
TIMES = {"CUINSTRUMENT_TIMESTAMPS": "accesses"}
PROFILE = {"CUINSTRUMENT_MODE": "profile"}
METRICS = """SELECT launch_id, site_id, requests, thread_accesses, bytes, sectors, ideal_sectors, useful_bytes, wavefronts,
             ideal_wavefronts, bank_conflicts, sector_requests, wavefront_requests,
             CASE WHEN sector_requests = 0 OR wavefront_requests = 0 THEN max_address - min_address END FROM site_metric ORDER BY 1, 2"""


def profiled(t):
    """The totals of `program`, as its trace has them; `run_case` makes that."""
    expect("accesses", t.one("SELECT count(*) FROM access_chunk"), 0)
    expect("totals", t.rows(METRICS), t.other.rows(METRICS))


PROGRAM = {timed: "many", sampled: "many", sampled_warps: "many", selected: "streams"}  # else named as the check
PROFILED = ("affine", "irregular", "divergent", "together", "met", "loops", "spaces", "streams", "branches", "many", "flood", "errors", "reset")
CASES = [(affine, {}), (affine, RING), (irregular, {}), (irregular, RING), (far_apart, {}), (far_apart, RING),
         (divergent, {}), (together, {}), (together, RING), (met, {}), (met, RING), (loops, {}), (loops, RING), (spaces, {}), (spaces, RING), (values, {}), (values, RING), (streams, {}),
         (branches, {}), (many, {}), (many, RING), (many, TINY), (flood, {}), (flood, SMALL), (flood, FEW), (flood, NONE),
         (drops, {**TINY, "CUINSTRUMENT_WAIT_MS": "0"}), (errors, {}), (graph, {}), (graph, RING), (graph_many, {}), (reset, {}), *((failing, more) for more in ({}, RING, PROFILE)), (running, {}), (running, RING), (unannounced, {}),
         (unsynchronized, {}), (unsynchronized, TINY),
         (sampled, {"CUINSTRUMENT_SAMPLE_BLOCKS": "4"}), (sampled_warps, {"CUINSTRUMENT_SAMPLE_WARPS": "4"}), (selected, {"CUINSTRUMENT_LAUNCHES": "5-8"}),
         *((left_out, {"CUINSTRUMENT_LAUNCHES": "1", **more}) for more in ({}, RING, PROFILE)), (timed, TIMES), (timed, {**TIMES, **RING}),
         *((profiled, {**PROFILE, "program": program}) for program in PROFILED)]


def wait_for_records(trace, process):
    """Until the trace has accesses, which must be before the kernel, and so the program, ends."""
    while process.poll() is None:
        time.sleep(0.1)
        try:
            with closing(sqlite3.connect(f"file:{trace}?mode=ro", uri=True)) as database:
                if database.execute("SELECT count(*) FROM access_chunk").fetchone()[0] != 0:
                    return
        except sqlite3.Error:
            pass  # not there yet
    raise Wrong("no accesses in the trace while the kernel ran")


def run_case(check, environment, options, directory):
    def record(name, program, environment):
        if check in (many, graph_many):
            environment = {**environment, "CUINSTRUMENT_BARRIERS": "on"}
        trace = directory / f"{name}.db"
        with subprocess.Popen([options.recorder, program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **environment, "CUINSTRUMENT_DB": str(trace)}) as process:
            try:
                if program == "running":
                    wait_for_records(trace, process)
                output, errors = process.communicate(timeout=LIMIT_S)
            finally:
                process.kill()
        if process.returncode != 0:
            raise Wrong(f"exit status {process.returncode}: {output.strip()} {errors.strip()}")
        return trace

    program = environment.get("program") or PROGRAM.get(check, check.__name__)
    # Where several processes share the device, kernels read constants anew whenever it is their turn.
    neighbours = [subprocess.Popen([options.recorder, "running"], env={**os.environ, "CUINSTRUMENT": "off"}) for _ in range(3 if check is left_out else 0)]
    if neighbours:
        time.sleep(1)  # then their kernels run, for two seconds more
    trace = record(check.__name__, program, environment)
    for neighbour in neighbours:
        neighbour.wait(timeout=LIMIT_S)
    t = Trace(trace)
    if check is profiled:
        t.other = Trace(record("trace", program, {}))
    check(t)
    if environment == SMALL:
        expect("the pool was used up", t.stat("pool_exhausted") > 0, True)
    if check is drops:
        return
    expect("losses", t.rows("SELECT name, value, detail FROM trace_stat WHERE severity <> 'info'"), [])
    if environment.get("CUINSTRUMENT_MODE") != "profile" and check is not failing:
        expect("device counts", t.rows("SELECT launch_id, site_id, requests, thread_accesses FROM site_counter ORDER BY 1, 2"),
               t.rows("SELECT launch_id, site_id, requests, thread_accesses FROM site_metric ORDER BY 1, 2"))
    if options.cuinstrument:
        done = subprocess.run([options.cuinstrument, "validate", trace], capture_output=True, text=True, timeout=LIMIT_S)
        expect("validate", (done.returncode, ""), (0, "" if done.returncode == 0 else done.stdout + done.stderr))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recorder", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cuinstrument", type=lambda p: Path(p).resolve())
    parser.add_argument("case", nargs="*")
    options = parser.parse_args()
    failed = 0
    for check, environment in CASES:
        if options.case and check.__name__ not in options.case:
            continue
        name = " ".join([check.__name__] + [f"{k}={v}" for k, v in environment.items()])
        with tempfile.TemporaryDirectory() as directory:
            try:
                run_case(check, environment, options, Path(directory))
                print(f"ok    {name}", flush=True)
            except (Wrong, subprocess.TimeoutExpired, sqlite3.Error, IndexError) as problem:
                failed += 1
                print(f"WRONG {name}: {problem}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
