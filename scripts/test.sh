#!/usr/bin/env bash
# Installs what is needed, builds everything, runs every test: the suite on the release build, then our
# own code under the sanitizers. `scripts/test.sh --quick` leaves the sanitizers out; further arguments
# go to ctest (e.g. `scripts/test.sh --quick -R golden`).
set -euo pipefail
cd "$(dirname "$0")/.."

quick=
if [[ "${1:-}" == --quick ]]; then quick=1; shift; fi

step() { printf '\n== %s (%s)\n' "$1" "$(date +%H:%M:%S)"; }
build() {  # build PRESET TARGETS…: quiet unless it fails
  local preset=$1 log; shift
  log=$(mktemp)
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" --parallel "$(nproc)" "$@"; } >"$log" 2>&1; then
    grep -nE 'error|FAILED|Error' "$log" | head -n 40 || true
    tail -n 40 "$log"; rm -f "$log"; exit 1
  fi
  rm -f "$log"
}
sanitized() {  # sanitized PRESET REGEX: the unit tests it names; one line, or what failed and its output
  local log; log=$(mktemp)
  if ! ctest --preset "$1" -R "$2" -j "$(nproc)" --no-tests=error --output-on-failure >"$log" 2>&1; then
    grep -vE ' Passed +[0-9.]+ sec$| Start +[0-9]+: ' "$log" | tail -n 400; rm -f "$log"; exit 8
  fi
  grep 'tests passed' "$log"; rm -f "$log"
}

step "packages"
scripts/install_packages.sh
export CCACHE_MAXSIZE="${CCACHE_MAXSIZE:-2G}"
step "build: ci"
build ci
if [[ -z "$quick" ]]; then
  # What the sanitizers watch: our own libraries, through their unit tests.
  step "unit tests under AddressSanitizer and UBSan"
  build asan --target db_unit_tests db_thread_tests hostlib_unit_tests hostlib_session_tests rewriter_unit_tests cpu_exec_tests cpu_runtime_tests
  sanitized asan '^unit\.'
  step "unit tests of threads under ThreadSanitizer"
  build tsan --target db_thread_tests hostlib_unit_tests hostlib_session_tests cpu_exec_tests
  sanitized tsan '^unit\.(db|hostlib|cpu)\.'
fi
step "tests"
ctest --preset ci -j "$(nproc)" --no-tests=error "$@"
