#!/bin/bash
# Stands in for cuinstrument-rewrite: notes its arguments in $STUB_LOG.rewriter and puts a preamble before
# the text. CANNOT_REWRITE in the source makes it fail with 1, CRASHES end by a signal, WARNS
# makes it warn, MEETS makes it wait for the one that rewrites another such source, TAKES makes it include what -include names if it may, CAN_TAKE only where it must; of MANY_SITES it says that these are many. With --leave=FILE:7 or --leave-line=FILE:5 the unit number is another. `#include "x"` of
# a header beside the source is redirected as the real one does: "mirrored*" to a copy, others absolute.
{ printf '%s\n' "$@"; echo --; } >>"$STUB_LOG.rewriter"
while (($#)); do
  case $1 in
    -o) output=$2; shift ;;
    --leave=*:7) unit=0x2 ;;
    --leave-line=*:5) unit=0x3 ;;
    --take-includes=*) taken=${1#*=} ;;
    --take-all-includes) all=1 ;;
    --) break ;;
    -*) ;;
    *) input=$1 ;;
  esac
  shift
done
if grep -q MEETS "$input"; then
  touch "$STUB_LOG.met.$(basename "$input")"
  until [ "$(ls "$STUB_LOG".met.* | wc -l)" = 2 ]; do sleep 0.01; done
fi
if grep -q CANNOT_REWRITE "$input"; then
  echo "$input:3:1: error: stub cannot parse this" >&2
  exit 1
fi
grep -q CRASHES "$input" && kill -SEGV $$
grep -q WARNS "$input" && echo "$input:5:1: warning: stub does not know this" >&2
[ -n "${taken:-}" ] && grep -q "TAKES${all:+\\|CAN_TAKE}" "$input" && echo '#include "forced.h"' >"$taken"
folder=$(cd "$(dirname "$input")" && pwd)
{
  if grep -q MANY_SITES "$input"; then echo '#define CUI_MANY_SITES'; fi
  echo '#include "cuinstrument/instrument.h"'
  echo "CUI_UNIT(${unit:-0x1}, 0)"
  echo "#line 1 \"$input\""
  while IFS= read -r line || [ -n "$line" ]; do
    if [[ $line =~ ^#include\ \"(mirrored.*)\"$ ]]; then
      mkdir -p "$output.d$folder"
      { echo "#line 1 \"$(dirname "$input")/${BASH_REMATCH[1]}\""; cat "$folder/${BASH_REMATCH[1]}"; } \
        >"$output.d$folder/${BASH_REMATCH[1]}"
      echo "#include \"$output.d$folder/${BASH_REMATCH[1]}\""
    elif [[ $line =~ ^#include\ \"(.*)\"$ ]]; then
      echo "#include \"$folder/${BASH_REMATCH[1]}\""
    else
      printf '%s\n' "$line"
    fi
  done <"$input"
} >"$output"
