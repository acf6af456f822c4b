#!/usr/bin/env bash
# From a bare Debian 12 to a report on a real CUDA program: no GPU and no CUDA toolkit needed.
# Builds cuinstrument (a second run takes seconds), instruments examples/transpose for the CPU backend,
# runs it and prints what its kernels do to memory.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh
if [[ ! -f build/release/build.ninja ]]; then
  echo "configuring build/release"
  cmake --preset release >build-release.log 2>&1 || { cat build-release.log >&2; exit 1; }
  rm -f build-release.log
fi
echo "building"
cmake --build --preset release -- -k 0 | { grep -vE '^ninja: no work' || true; } | tail -n 1

work=build/demo
mkdir -p "$work"
rm -f "$work"/trace.db*
cuinstrument=build/release/bin/cuinstrument
set -x
"$cuinstrument" cpu examples/transpose/transpose.cu -o "$work/transpose"
CUINSTRUMENT_DB="$work/trace.db" "$work/transpose"
"$cuinstrument" report "$work/trace.db"
{ set +x; } 2>/dev/null

cat <<END

The trace is $work/trace.db, an ordinary SQLite database. Try next:
  $cuinstrument query $work/trace.db "SELECT * FROM hot_site"
  $cuinstrument validate $work/trace.db
  sqlite3 $work/trace.db "SELECT * FROM access LIMIT 5"
END
