# report, query, validate, materialize on small traces that make_trace writes.
. "$SOURCE/tests/cli/lib.sh"
make_trace() { "$MAKE_TRACE" "$@" || fail "make_trace $*"; }

case_report_text() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" report t.db
  # 32 lanes 128 bytes apart touch 32 sectors; their 128 bytes would fit 4.
  grep -qE 'k\.cu:4 +in\[i \* 32\] +load +uncoalesced: 32\.0 sectors/request, ideal 4\.0' "$work/out" || fail 'load'
  grep -qE 'k\.cu:5 +out\[i\] +store +coalesced: 4\.0' "$work/out" || fail 'store'
  # Rows of 128 bytes: 32 words in bank 0.
  grep -qE 'k\.cu:6 +tile\[i\]\[0\] +load +32-way bank conflict on tile' "$work/out" || fail 'shared load'
  out_has 't.db: 3 records kept, none dropped; the trace is complete.'
  out_has '3 sites instrumented, 1 skipped:'
  grep -qE 'k\.cu:7 +f->bits +bit-field' "$work/out" || fail 'skipped site'
  out_lacks $'\033'
}

case_report_fits_a_terminal() {
  make_trace t.db
  for columns in 80 140; do
    script -qec "stty cols $columns; TERM=xterm '$CUINSTRUMENT' report t.db" /dev/null >"$work/out"
    grep -q $'\033\\[' "$work/out" || fail 'a terminal gets colour'
    sed 's/\x1b\[[0-9;]*m//g; s/\r//' "$work/out" | grep -A100 '^Global' |
      awk -v w=$columns 'length > w {print; bad = 1} END {exit bad}' || fail "wider than $columns"
  done
  script -qec "NO_COLOR=1 TERM=xterm '$CUINSTRUMENT' report t.db" /dev/null >"$work/out"
  ! grep -q $'\033' "$work/out" || fail 'NO_COLOR'
}

case_report_json() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" report t.db --format json --analysis coalescing
  python3 - "$work/out" <<'EOF' || fail 'JSON'
import json, sys
report = json.load(open(sys.argv[1]))
assert [a["name"] for a in report["analyses"]] == ["coalescing"]
worst = report["analyses"][0]["findings"][0]
assert (worst["line"], worst["expression"], worst["kind"], worst["severity"]) == (4, "in[i * 32]", "load", "problem"), worst
assert worst["site_id_text"] == str(worst["site_id"]) != "0", worst
assert worst["numbers"]["sectors"] == 32 and worst["numbers"]["ideal_sectors"] == 4, worst
assert report["complete"] and report["records_kept"] == 3 and report["skipped"][0]["reason"] == "bit-field"
EOF
}

case_report_markdown() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" report t.db --format markdown --limit 1
  out_has '|---:|---|---|---|---|---|---|'
  out_has '| k.cu:4 | in[i \* 32] | load | uncoalesced: 32.0 sectors/request, ideal 4.0 |'
  out_lacks 'out[i]'  # beyond the limit
}

case_report_html() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" report t.db --format html
  python3 - "$work/out" <<'EOF' || fail 'HTML'
import html.parser, sys
class Page(html.parser.HTMLParser):
    open, text, void = [], "", {"meta"}
    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "link", "img"), tag  # nothing beside the page
        if tag not in self.void: self.open.append(tag)
    def handle_endtag(self, tag): assert self.open.pop() == tag, tag
    def handle_data(self, data): self.text += data
page = Page()
page.feed(open(sys.argv[1]).read())
assert not page.open, page.open
for text in ("in[i * 32]", "uncoalesced: 32.0 sectors/request", "f->bits", "the trace is complete"):
    assert text in page.text, text
EOF
  grep -q 'f-&gt;bits' "$work/out" || fail 'source text is escaped'
}

case_report_shows_the_source() {
  make_trace t.db
  printf '%s\n' '' '' '__global__ void k() {' '  x<y>(in[i * 32]);' '  out[i] = 1;' '  tile[i][0];' '  f->bits;' '}' >k.cu
  hash=$(python3 -c 'import functools, sys
print("%016x" % functools.reduce(lambda h, c: (h ^ c) * 0x100000001b3 % 2**64, open("k.cu", "rb").read(), 0xcbf29ce484222325))')
  sqlite3 t.db "UPDATE source_file SET absolute_path = '$PWD/k.cu', text_hash = '$hash'"
  # Of 32 + 4 sectors and 32 wavefronts, which count four times: 32 / 164, 4 / 164, 128 / 164.
  run 0 "$CUINSTRUMENT" report t.db --format html
  grep -qE '<tr id="s0-4" style=[^>]*><td>4</td><td>19.5 %</td><td>1</td><td>32</td><td>4</td><td></td><td><code>  x&lt;y&gt;\(in\[i \* 32\]\);<' \
    "$work/out" || fail 'line 4'
  grep -qE '<tr id="s0-6" style=[^>]*><td>6</td><td>78.0 %</td><td>1</td><td></td><td></td><td>31</td>' "$work/out" || fail 'line 6'
  out_has '<a href="#s0-4">k.cu:4</a>'
  out_has '<tr id="s0-7"><td>7</td><td></td>'
  run 0 "$CUINSTRUMENT" report t.db --format json
  out_has '"source": "  x<y>(in[i * 32]);"'
  echo >>k.cu
  run 0 "$CUINSTRUMENT" report t.db --format html
  out_lacks 'x&lt;y&gt;'
  out_has 'not the text that the program was built from'
}

case_report_sarif() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" report t.db --format sarif --source-root /home
  PYTHONPATH=$SOURCE/tests/e2e python3 -B - "$work/out" <<'EOF' || fail 'SARIF'
import sys
from result_formats import sarif_results
results = sarif_results(open(sys.argv[1]).read())
# The load and the bank conflict; the coalesced store and the summary are no annotations.
assert [r["ruleId"] for r in results if r["ruleId"] in ("coalescing", "bank_conflicts")] == \
    ["coalescing", "bank_conflicts"], results
worst = next(r for r in results if r["ruleId"] == "coalescing")
assert worst["level"] == "error", worst
assert worst["message"]["text"].startswith("in[i * 32]: uncoalesced: 32.0 sectors/request"), worst
place = worst["locations"][0]["physicalLocation"]
assert place["artifactLocation"] == {"uri": "u/k.cu", "uriBaseId": "%SRCROOT%"}, place
assert place["region"] == {"startLine": 4, "startColumn": 3}, place
assert worst["partialFingerprints"] == {"cuinstrumentSite/v1": "11:coalescing"}, worst
EOF
}

case_report_all() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" report t.db --format json
  python3 -c 'import json,sys; n=[a["name"] for a in json.load(open(sys.argv[1]))["analyses"]]; assert "coalescing" in n and "heat_map" not in n, n' \
    "$work/out" || fail 'the default'
  run 0 "$CUINSTRUMENT" report t.db --format json --all --gpu t4
  python3 - "$work/out" <<'EOF' || fail 'all'
import json, sys
analyses = {a["name"]: a["findings"] for a in json.load(open(sys.argv[1]))["analyses"]}
assert {"coalescing", "access_patterns", "heat_map", "reuse", "prediction"} <= set(analyses), list(analyses)
assert analyses["prediction"][0]["verdict"].startswith("on Tesla T4:"), analyses["prediction"]
EOF
  run 0 "$CUINSTRUMENT" report t.db --format json --analysis prediction --gpu t4,dram=160
  out_has '"verdict": "on Tesla T4 (dram=160):'
  for gpu in pentium h100,l3=1M h100,l1 h100,l1=100 h100,l1=2M h100,l2=M h100,multiprocessors=0 h100,dram=-1 h100,clock=1e9; do
    run 2 "$CUINSTRUMENT" report t.db --gpu $gpu
    err_lines 1
    err_has "${gpu#h100,}"
  done
}

case_report_pictures() {
  make_trace t.db large
  # 2,000 times the same 32 sectors and 4 sectors: after the first round each is used again after the 35 others.
  run 0 "$CUINSTRUMENT" report t.db --analysis reuse
  out_has 'sectors used again, by the bytes that hold them until then: 2 KiB █ 2 KiB'
  run 0 "$CUINSTRUMENT" report t.db --analysis reuse --format html
  out_has 'title="2 KiB: 63968"'  # 1,999 x 32
  run 0 "$CUINSTRUMENT" report t.db --analysis reuse --format json
  python3 -c 'import json,sys; f=json.load(open(sys.argv[1]))["analyses"][0]["findings"]; assert f[0]["series"][0]["bars"]==[{"label":"2 KiB","value":63968}], f' \
    "$work/out" || fail 'JSON'
}

case_report_in_two_dimensions() {
  make_trace t.db
  # A pitch of 128 bytes gives the load's array 32 rows, of which each lane reads column 0.
  sqlite3 t.db "INSERT INTO allocation (api, address, bytes, name, type, element_bytes, space, file, line, allocated_ns,
    pitch, device_id, caller, column)
    VALUES ('cudaMallocPitch', 0x10000, 4096, 'image', 'float', 4, 'global', 'k.cu', 19, 1, 128, 0, 'main', 3)"
  run 0 "$CUINSTRUMENT" report t.db --analysis heat_map
  out_has 'rows of 128 bytes, known from its pitch; columns 0 to 31'
  out_has 'rows 0 to 31  █·······························'
  run 0 "$CUINSTRUMENT" report t.db --analysis heat_map --format markdown
  out_has 'rows 0 to 31  █·······························'
  run 0 "$CUINSTRUMENT" report t.db --analysis heat_map --format html
  out_has 'title="row 31, column 0: 1"'
  out_has 'grid-column:span 31" title="row 0, columns 1 to 31: 0 in each cell"'
  run 0 "$CUINSTRUMENT" report t.db --analysis heat_map --format json
  python3 - "$work/out" <<'EOF' || fail 'JSON'
import json, sys
finding = json.load(open(sys.argv[1]))["analyses"][0]["findings"][0]
grid = finding["grids"][0]
assert grid["rows"] == [[i, i] for i in range(32)] == grid["columns"], grid
assert grid["cells"] == [[1] + [0] * 31] * 32, grid
EOF
}

case_report_names_the_dearest_first() {
  make_trace t.db
  # Of 32 + 4 sectors and 32 wavefronts, that are 164: the bank conflict takes 4 x 31, the load 28 too many.
  run 0 "$CUINSTRUMENT" report t.db --format json
  python3 - "$work/out" <<'EOF' || fail 'priorities'
import json, sys
report = json.load(open(sys.argv[1]))
findings = {a["name"]: a["findings"] for a in report["analyses"]}
first = [(p["analysis"], findings[p["analysis"]][p["finding"]]) for p in report["priorities"]]
assert [(name, round(each["saving"], 6)) for name, each in first] == [
    ("bank_conflicts", round(124 / 164, 6)), ("coalescing", round(28 / 164, 6))], first
EOF
  for format in text markdown html; do
    run 0 "$CUINSTRUMENT" report t.db --format $format
    out_has 'What to change first'
    out_has '75.6 %'
  done
  run 0 "$CUINSTRUMENT" report t.db --analysis coalescing
  ! grep -q 'What to change first' "$work/out" || fail 'one analysis needs no order'
}

case_report_says_once_what_is_alike() {
  make_trace t.db repeated
  run 0 "$CUINSTRUMENT" report t.db --all --format json
  python3 - "$work/out" <<'EOF' || fail 'one line of twelve'
import json, sys
report = json.load(open(sys.argv[1]))
beyond = [p["times"] for p in report["priorities"] if p["analysis"] == "bounds"]
assert beyond[:1] == [12], report["priorities"]
EOF
  run 0 "$CUINSTRUMENT" report t.db --all
  out_has '(12 times)'
}

case_report_tells_of_losses() {
  make_trace t.db lossy
  run 0 "$CUINSTRUMENT" report t.db
  out_has 'data_loss: dropped_records: 5'
  run 0 "$CUINSTRUMENT" report t.db --analysis coalescing
  out_has 'data_loss: dropped_records 5 in launch 1: no space in time'
  make_trace u.db unclosed
  run 0 "$CUINSTRUMENT" report u.db
  out_has 'the program did not close it'
}

case_diff_of_strangers() {
  make_trace t.db
  cp t.db u.db
  sqlite3 u.db "UPDATE launch SET kernel = 'another'"
  run 1 "$CUINSTRUMENT" diff t.db u.db
  grep -qE '^  added +another +1 launch$' "$work/out" || fail 'added'
  grep -qE '^  removed +k +1 launch$' "$work/out" || fail 'removed'
  out_has 'Nothing was compared: the traces have no kernel in common.'
  run 0 "$CUINSTRUMENT" diff t.db t.db
  out_has 'Nothing got worse.'
}

case_names_of_many_pages() {
  make_trace t.db
  long=$(printf 'Both<Wrap<float>, %.0s' {1..500})
  sqlite3 t.db "UPDATE launch SET kernel = '$long'"
  run 0 "$CUINSTRUMENT" diff t.db t.db --all
  out_has 'Both<Wrap<float>, Both<Wrap<float>, '
  awk 'length > 400 {bad = 1} END {exit bad}' "$work/out" || fail 'a line of many pages'
}

case_query_formats() {
  make_trace t.db
  local sql="SELECT line, expression, NULL AS absent, 2.5 AS half FROM site WHERE line < 6 ORDER BY line"
  run 0 "$CUINSTRUMENT" query t.db "$sql"
  # Numbers right, text left; NULL is empty.
  printf '%s\n' 'line  expression  absent  half' '----  ----------  ------  ----' \
    '   4  in[i * 32]           2.5' '   5  out[i]               2.5' >"$work/expected"
  cmp -s "$work/out" "$work/expected" || fail 'table'
  run 0 "$CUINSTRUMENT" query t.db --format csv "$sql"
  tr -d '\r' <"$work/out" >"$work/got"
  [ "$(cat "$work/got")" = $'line,expression,absent,half\n4,in[i * 32],,2.5\n5,out[i],,2.5' ] || fail 'CSV'
  echo "$sql" | run 0 "$CUINSTRUMENT" query t.db --format json -
  python3 -c 'import json,sys; r=json.load(open(sys.argv[1])); assert r[0]=={"line":4,"expression":"in[i * 32]","absent":None,"half":2.5}, r' \
    "$work/out" || fail 'JSON'
}

case_query_on_a_terminal_shortens_texts() {
  make_trace t.db
  local long sql="SELECT site.line, kernel, expression FROM launch, site WHERE site.line = 4"
  long=$(printf 'Both<Wrap<float>, %.0s' {1..20})
  sqlite3 t.db "UPDATE launch SET kernel = '$long'"
  script -qec "stty cols 60; '$CUINSTRUMENT' query t.db '$sql'" /dev/null | sed 's/\r//' >"$work/out"
  # 60 cells: the number's 4, the expression's 10, and 2 between columns leave 42 for the kernel.
  python3 - "$work/out" <<'EOF' || fail 'shortened'
import sys
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
assert [len(line) for line in lines[1:]] == [60, 60], lines
assert lines[1] == "-" * 4 + "  " + "-" * 42 + "  " + "-" * 10, lines
assert lines[2].startswith("   4  Both<Wrap<float>, Both<W") and "…" in lines[2] and lines[2].endswith("  in[i * 32]"), lines
EOF
  run 0 "$CUINSTRUMENT" query t.db "$sql"
  grep -qF "  $long  in[i * 32]" "$work/out" || fail 'a pipe gets the whole text'
}

case_query_cannot_write() {
  make_trace t.db
  sha256sum t.db >"$work/sum"
  for sql in 'DELETE FROM site' "ATTACH 'x.db' AS x" 'PRAGMA user_version = 9' 'CREATE TABLE x(y)' 'VACUUM' \
    'UPDATE meta SET value = 0 RETURNING key' "WITH one(k) AS (SELECT 'k') INSERT INTO meta SELECT k, 1 FROM one" \
    'CREATE TEMP TABLE x AS SELECT * FROM site' 'PRAGMA journal_mode = DELETE' 'PRAGMA wal_checkpoint(TRUNCATE)' \
    'REINDEX' 'ANALYZE' 'DROP VIEW hot_site' "SELECT load_extension('x')" "SELECT writefile('x', 'y')" \
    "VACUUM INTO 'x.db'" 'SELECT 1; DELETE FROM site' 'BEGIN IMMEDIATE'; do
    run 2 "$CUINSTRUMENT" query t.db "$sql"
    err_lines 1
  done
  sha256sum --quiet -c "$work/sum" || fail 'the file has changed'
  [ "$(ls)" = t.db ] || fail "made: $(ls)"
  run 0 "$CUINSTRUMENT" query t.db --format csv 'SELECT count(*) FROM site'
  out_has 4
}

case_query_streams() {
  make_trace t.db huge
  python3 - "$CUINSTRUMENT" <<'EOF' || fail 'memory grows with the rows'
import os, subprocess, sys
def megabytes(format, rows):
    child = subprocess.Popen([sys.argv[1], "query", "t.db", f"SELECT * FROM thread_access LIMIT {rows}", "--format", format],
                             stdout=subprocess.DEVNULL)
    _, child.returncode, used = os.wait4(child.pid, 0)
    assert child.returncode == 0, format
    return used.ru_maxrss / 1024
for format in ("table", "csv", "json", "jsonl"):
    # 100,000 rows of 16 columns are more than 7 MB in any of these formats.
    few, many = megabytes(format, 5_000), megabytes(format, 100_000)
    assert many < few + 3, (format, few, many)
EOF
}

case_query_bad_sql() {
  make_trace t.db
  run 2 "$CUINSTRUMENT" query t.db 'SELEC 1'
  err_lines 1
  run 2 "$CUINSTRUMENT" query t.db 'SELECT no_such FROM site'
  err_has no_such
  run 2 "$CUINSTRUMENT" query t.db
  run 2 "$CUINSTRUMENT" query t.db --format yaml 'SELECT 1'
  err_lines 1
}

case_query_interrupted() {
  make_trace t.db
  interrupted query t.db 'WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c'
}

# interrupted COMMAND…: SIGINT once it has opened the trace ends it with 130, without a word.
interrupted() {
  python3 - "$CUINSTRUMENT" "$@" >"$work/out" 2>"$work/err" <<'EOF' || fail "$*"
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell starts background jobs with it ignored
child = subprocess.Popen(sys.argv[1:])
def opened():
    folder = f"/proc/{child.pid}/fd"
    try:
        return any(os.readlink(f"{folder}/{fd}").endswith("/t.db") for fd in os.listdir(folder))
    except FileNotFoundError:
        return False
while child.poll() is None and not opened():
    time.sleep(0.005)
child.send_signal(signal.SIGINT)
code = child.wait()
sys.exit(0 if code == -signal.SIGINT else f"exit code {code}")
EOF
  [ ! -s "$work/err" ] || fail "something was said: $*"
}

case_long_work_is_interrupted() {
  make_trace t.db huge
  cat >checks.toml <<'EOF'
[[check]]
analysis = "bounds"
assert = "problems == 0"
EOF
  interrupted report t.db --all
  interrupted whatif t.db --cache h100
  interrupted check t.db checks.toml --no-source
  interrupted materialize t.db
  cp t.db u.db
  interrupted merge t.db u.db -o both.db
  absent both.db both.db-journal
  interrupted validate t.db
  interrupted export t.db --format drcachesim -o t.trace
  absent t.trace
  interrupted export t.db --format accelsim -o sim
  interrupted export t.db --format csv -o tables --table access
  [ -z "$(find sim tables -type f)" ] || fail "left behind: $(find sim tables -type f)"
  run 0 "$CUINSTRUMENT" validate t.db
}

case_output_closed_or_full() {
  make_trace t.db
  # Endless rows into a reader that takes one line: no message, and an end.
  "$CUINSTRUMENT" query t.db 'WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT x FROM c' \
    --format csv 2>"$work/err" | head -1 >"$work/out"
  [ "${PIPESTATUS[0]}" = 141 ] || fail "exit code ${PIPESTATUS[0]} instead of SIGPIPE's"
  [ ! -s "$work/err" ] || fail 'a message about a closed pipe'
  "$CUINSTRUMENT" report t.db >/dev/full 2>"$work/err" && fail 'a full disk went unnoticed'
  err_lines 1
  err_has 'No space left on device'
}

case_progress_on_a_terminal_only() {
  make_trace t.db
  local sql="WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
  script -qec "timeout --foreground -s INT 1.5 '$CUINSTRUMENT' query t.db '$sql'" /dev/null >"$work/out"
  out_has 'querying'
  timeout -s INT 1.5 "$CUINSTRUMENT" query t.db "$sql" 2>"$work/err"
  err_lines 0
}

case_progress_of_all_that_takes_long() {
  make_trace t.db huge
  cp t.db m.db
  printf '[[check]]\nanalysis = "prediction"\nassert = "problems == 0"\n' >checks.toml
  # Each on a terminal of its own, all at a time, until Ctrl-C.
  shows() {
    local label=$1
    shift
    script -qec "timeout --foreground -s INT 3 '$CUINSTRUMENT' $*" "$label.log" >/dev/null &
  }
  shows analysing report t.db --all
  shows checking check t.db checks.toml --no-source
  shows recomputing whatif t.db --cache h100
  shows exporting export t.db --format accelsim -o sim
  shows materializing materialize m.db
  wait
  for label in analysing checking recomputing exporting materializing; do
    grep -qE "$label [0-9]+ (%|s)" $label.log || fail "$label: $(cat $label.log)"
  done
}

case_validate() {
  make_trace t.db
  run 0 "$CUINSTRUMENT" validate t.db
  out_has 't.db: complete and consistent'
  make_trace l.db lossy
  run 1 "$CUINSTRUMENT" validate l.db
  grep -qE '^data_loss: .*dropped_records' "$work/out" || fail 'the loss is not named'
  make_trace u.db unclosed
  run 1 "$CUINSTRUMENT" validate u.db
}

case_materialize() {
  make_trace t.db large
  run 0 "$CUINSTRUMENT" query t.db 'SELECT count(*) FROM access'
  run 0 "$CUINSTRUMENT" materialize t.db
  out_has '6000 rows in table access'
  [ "$(sqlite3 t.db 'SELECT count(*) FROM access')" = 6000 ] || fail 'stock sqlite3'
}

case_merge() {
  make_trace a.db
  make_trace b.db large
  run 0 "$CUINSTRUMENT" merge a.db b.db -o both.db
  out_has 'both.db: 2 traces, 2 launches, 6003 records'
  run 0 "$CUINSTRUMENT" validate both.db
  run 0 "$CUINSTRUMENT" report both.db --analysis coalescing
  # 1 + 2,000 requests of 32 sectors.
  run 0 "$CUINSTRUMENT" query both.db --format csv 'SELECT requests, sectors FROM site_summary WHERE site_id = 11'
  out_has '2001,64032'
  run 2 "$CUINSTRUMENT" merge a.db -o both.db
  err_lines 1
  run 2 "$CUINSTRUMENT" merge a.db b.db -o a.db
  err_has 'choose another name'
  run 3 "$CUINSTRUMENT" merge a.db absent.db -o c.db
  err_lines 1
  absent c.db
  run 0 "$CUINSTRUMENT" validate a.db
}

case_upgrade() {
  sqlite3 t.db <"$SOURCE/tests/unit/db/frozen/v2_chunks.sql"
  run 3 "$CUINSTRUMENT" report t.db
  err_has 'schema version 2'
  err_has 'cuinstrument upgrade'
  run 0 "$CUINSTRUMENT" upgrade t.db
  grep -qE '^t\.db: schema version [0-9]+, was 2$' "$work/out" || fail 'the versions'
  run 0 "$CUINSTRUMENT" validate t.db
  run 0 "$CUINSTRUMENT" upgrade t.db
  out_has 'already'
  run 3 "$CUINSTRUMENT" upgrade missing.db
}

case_not_a_trace() {
  echo 'no database' >text.db
  sqlite3 other.db 'CREATE TABLE t(x)'
  : >empty.db
  mkdir folder.db
  for command in report validate materialize 'query SELECT'; do
    for file in absent.db text.db other.db empty.db folder.db; do
      # shellcheck disable=SC2086
      if [ "$command" = 'query SELECT' ]; then
        run 3 "$CUINSTRUMENT" query $file 'SELECT 1'
      else
        run 3 "$CUINSTRUMENT" $command $file
      fi
      err_lines 1
      err_has $file
    done
  done
}

case_schema_from_the_future() {
  make_trace t.db
  sqlite3 t.db 'PRAGMA user_version = 999'
  for command in report validate materialize; do
    run 3 "$CUINSTRUMENT" $command t.db
    err_lines 1
    err_has 999
  done
}

main "$1"
