#!/bin/bash
# What fuzz.py says of a rewriter that computes for ever, and of one that only waits.
#   bound_test.sh
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
printf '__global__ void k(int* p) { p[threadIdx.x] = 1; }\n' > "$work/k.cu"

# rewriter BODY: a cuinstrument-rewrite that does BODY, or with --strip prints the original.
rewriter() {
  printf '#!/bin/sh\nif [ "$1" = --strip ]; then exec cat m.cu; fi\n%s\n' "$1" > "$work/bin/cuinstrument-rewrite"
  chmod +x "$work/bin/cuinstrument-rewrite"
}
mutants() { python3 "$here/fuzz.py" mutants --bin "$work/bin" --keep "$work" --hang 1 --count 1 1 "$work/k.cu"; }
fail() { printf '%s\n' "$@" >&2; exit 1; }

rewriter 'while :; do :; done'
said=$(mutants) && fail "a rewriter that computes for ever passed:" "$said"
grep -q 'more than 1 s of processor time' <<< "$said" || fail "$said"

rewriter 'sleep 3; : > out.cu'
said=$(mutants) || fail "a rewriter that waits for others failed:" "$said"

rewriter 'kill -s SEGV $$'
said=$(mutants) && fail "a rewriter that crashes passed:" "$said"
grep -q 'exit -11' <<< "$said" || fail "$said"
