# Shared by the cli tests: `bash <file>.sh <case>` runs one case in a fresh folder.
# Set by CTest: CUINSTRUMENT (the program), SOURCE (this repository).
set -u
unset CUINSTRUMENT_NVCC CUINSTRUMENT_STRICT CUINSTRUMENT_REWRITE_FLAGS CUINSTRUMENT_REWRITER CUINSTRUMENT_CXX
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
here=$SOURCE/tests/cli
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp" "$work/seen" "$work/src"
export TMPDIR=$work/tmp
cd "$work/src" || exit 1

fail() {
  echo "FAILED: $*" >&2
  for file in "$work"/out "$work"/err "$work"/log; do [ -f "$file" ] && sed "s|^|$(basename "$file"): |" "$file" >&2; done
  exit 1
}

# run RC COMMAND…: standard output and error go to $work/out and $work/err.
run() {
  local expected=$1 actual
  shift
  "$@" >"$work/out" 2>"$work/err"
  actual=$?
  [ "$actual" = "$expected" ] || fail "exit code $actual instead of $expected: $*"
}

out_has() { grep -qF -- "$1" "$work/out" || fail "standard output lacks: $1"; }
out_lacks() { ! grep -qF -- "$1" "$work/out" || fail "standard output has: $1"; }
err_has() { grep -qF -- "$1" "$work/err" || fail "standard error lacks: $1"; }
err_lines() { [ "$(wc -l <"$work/err")" = "$1" ] || fail "not $1 line(s) on standard error"; }
exists() { for file in "$@"; do [ -e "$file" ] || fail "no file $file"; done; }
absent() { for file in "$@"; do [ ! -e "$file" ] || fail "$file should not exist"; done; }
temporary_files_gone() { [ -z "$(ls -A "$TMPDIR")" ] || fail "left in TMPDIR: $(ls -A "$TMPDIR")"; }

# nvcc and the rewriter are stubs from here on.
use_stubs() {
  export STUB_LOG=$work/log STUB_SEEN=$work/seen STUB_SLEEP='' STUB_EXIT=0
  mkdir -p "$work/bin"
  cp "$here/stub_nvcc.sh" "$work/bin/nvcc"
  export PATH=$work/bin:$PATH CUINSTRUMENT_REWRITER=$here/stub_rewriter.sh
}
# The arguments of nvcc's only call, or of the N-th.
nvcc_arguments() { awk -v n="${1:-1}" 'BEGIN {c = 1} /^--$/ {c++; next} c == n' "$STUB_LOG"; }
nvcc_calls() { grep -c '^--$' "$STUB_LOG"; }
# nvcc was given this argument, whole.
nvcc_has() { nvcc_arguments | grep -qxF -- "$1" || fail "nvcc was not given: $1"; }
nvcc_lacks() { ! nvcc_arguments | grep -qxF -- "$1" || fail "nvcc was given: $1"; }
instrumented() { grep -q '^CUI_UNIT' "$STUB_SEEN/$1" || fail "nvcc saw $1 uninstrumented"; }
untouched() { ! grep -q '^CUI_UNIT' "$STUB_SEEN/$1" || fail "nvcc saw $1 instrumented"; }

main() { "case_$1"; }
