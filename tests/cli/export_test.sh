# export on small traces that make_trace writes. The address formats' contents are unit.db.TraceFormats.*.
. "$SOURCE/tests/cli/lib.sh"
make_trace() { "$MAKE_TRACE" "$@" || fail "make_trace $*"; }

case_tables() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" export t.db --format csv -o out
  exists out/site.csv out/launch.csv out/site_metric.csv out/access.csv out/trace_stat.csv
  absent out/access_chunk.csv out/access_lane.csv
  # 1 load and 1 store of global memory, 1 load of shared memory.
  [ "$(wc -l <out/access.csv)" = 4 ] || fail 'a header and three accesses'
  run 0 "$CUINSTRUMENT" export t.db --format jsonl -o some --table access_lane --table hot_site
  [ "$(ls some)" = $'access_lane.jsonl\nhot_site.jsonl' ] || fail "$(ls some)"
  python3 - <<'EOF' || fail 'JSON lines'
import json
lanes = [json.loads(line) for line in open("some/access_lane.jsonl")]
assert len(lanes) == 96 and lanes[1]["address"] - lanes[0]["address"] == 128, lanes[:2]
EOF
  ! ls out some | grep -q part || fail 'a temporary file was left'
}

case_chrome() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" export t.db --format chrome -o t.json
  python3 - <<'EOF' || fail 'timeline'
import json
trace = json.load(open("t.json"))
events = trace["traceEvents"]
assert {e["ph"] for e in events} <= set("MXsfC"), events
names = {e["args"]["name"] for e in events if e["ph"] == "M"}
assert {"host calls", "device 0 default stream"} <= names, names
call, kernel = [e for e in events if e["ph"] == "X"]
# The launch call took from 1000 to 2000 ns.
assert (call["name"], call["dur"], call["tid"]) == ("launch k", 1.0, 1), call
assert kernel["name"] == "k" and kernel["args"]["sectors"] == 32 + 4 and kernel["tid"] == 2, kernel
start, finish = [e for e in events if e["ph"] in "sf"]
assert start["id"] == finish["id"] == 1 and (start["tid"], finish["tid"]) == (1, 2), (start, finish)
EOF
  # Of merged traces, each process has tracks of its own.
  make_trace u.db
  run 0 "$CUINSTRUMENT" merge t.db u.db -o both.db
  run 0 "$CUINSTRUMENT" export both.db --format chrome -o both.json
  python3 - <<'EOF' || fail 'merged timeline'
import json, sqlite3
events = json.load(open("both.json"))["traceEvents"]
processes = sqlite3.connect("both.db").execute("SELECT process_id FROM process ORDER BY 1").fetchall()
calls = sorted(e["pid"] for e in events if e["ph"] == "X" and e["name"] == "launch k")
assert [(pid,) for pid in calls] == processes and len(processes) == 2, (calls, processes)
assert sum(e["ph"] == "M" and e["name"] == "process_name" for e in events) == 2, events
EOF
  run 0 "$CUINSTRUMENT" export t.db --format chrome -o /dev/stdout
  python3 -c 'import json,sys; json.load(open(sys.argv[1]))' "$work/out" || fail 'standard output'
}

case_nsys() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" export t.db --format nsys -o t.sqlite
  # As scripts for Nsight Systems' exports begin: is there such a table, and what are the kernels called?
  python3 - <<'EOF' || fail 'tables'
import sqlite3
db = sqlite3.connect("t.sqlite")
tables = {name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
assert {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "StringIds", "NVTX_EVENTS"} <= tables, tables
names = dict(db.execute("SELECT id, value FROM StringIds"))
assert [names[n] for n, in db.execute("SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL")] == ["k"], names
EOF
  [ "$(ls)" = $'t.db\nt.sqlite' ] || fail "$(ls)"
}

case_addresses() {
  make_trace t.db large
  # Header, thread, process, 4 markers; thread and process of block 0; 2,000 x (2 instructions, 32 sectors read, 4
  # written); 2 exits, footer: 12 bytes each.
  run 0 "$CUINSTRUMENT" export t.db --format drcachesim -o t.trace
  [ "$(stat -c %s t.trace)" = $((12 * (7 + 2 + 2000 * 38 + 3))) ] || fail "$(stat -c %s t.trace)"
  run 0 "$CUINSTRUMENT" export t.db --format accelsim -o sim --launch 1
  grep -q '^insts = 6001$' sim/kernel-1.traceg || fail 'instructions'
  [ "$(cat sim/kernelslist.g)" = kernel-1.traceg ] || fail 'the list'
}

case_usage() {
  make_trace t.db
  for arguments in '--format csv' '--format yaml -o x' '-o x' '--format chrome -o x --table site' \
    '--format csv -o x --launch 1' '--format accelsim -o x --launch 7' '--format csv -o x --table nowhere' \
    '--format csv -o x --table site;--'; do
    # shellcheck disable=SC2086
    run 2 "$CUINSTRUMENT" export t.db $arguments
    err_lines 1
  done
  ln t.db same.db
  sha256sum t.db >"$work/sum"
  for format in chrome nsys drcachesim; do
    run 2 "$CUINSTRUMENT" export t.db --format $format -o same.db
    err_has 'choose another name'
  done
  sha256sum --quiet -c "$work/sum" || fail 'the trace has changed'
  run 3 "$CUINSTRUMENT" export absent.db --format csv -o x
  err_lines 1
  run 3 "$CUINSTRUMENT" export t.db --format chrome -o /dev/full
  err_lines 1
  err_has 'No space left on device'
  run 3 "$CUINSTRUMENT" export t.db --format csv -o t.db/x
  err_lines 1
}

main "$1"
