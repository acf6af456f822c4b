#!/bin/bash
# Stands in for nvcc: notes its arguments in $STUB_LOG (one a line, calls separated by "--"), makes the
# outputs nvcc would make, notes nvcc's variables in $STUB_LOG.environment, and copies every CUDA source it is given to $STUB_SEEN/<base name>.
# A source that contains "#error" fails with 2; one with BREAKS_WHEN_INSTRUMENTED only in that form, one with
# FAILS_UNLESS_LEFT unless the rewriter has left its line 7 alone.
# FAILS_UNLESS_LINE_LEFT unless it has left what is on line 5 alone; one with MISTAKEN_BY_CICC in that form unless
# the recorder asks for spaces by assembly.
case " $* " in  # asked what it would do
  *" -arch=all-major --dryrun --keep "*)
    echo '#$ gcc -D__CUDA_ARCH__=1200 -D__CUDA_ARCH_LIST__=750,900,1200 -E -x c++ "/dev/null"' >&2
    exit
    ;;
  *" --dryrun --keep "*) exit ;;
esac
{ printf '%s\n' "$@"; echo --; } >>"$STUB_LOG"
all=" $* "
env | grep '^NVCC_' >"$STUB_LOG.environment"
output='' dependencies='' suffix=out inputs=()
while (($#)); do
  case $1 in
    -o) output=$2; shift ;;
    -MF) dependencies=$2; shift ;;
    -isystem | -I | -x | -std) shift ;;
    -optf | --options-file)
      mapfile -t words < <(xargs -n1 <"$2")
      set -- "$1" "$2" "${words[@]}" "${@:3}"
      shift
      ;;
    -c | -dc) suffix=o ;;
    -ptx) suffix=ptx ;;
    -MD) makes_dependencies=1 ;;
    -*) ;;
    *) inputs+=("$1") ;;
  esac
  shift
done
for input in "${inputs[@]}"; do
  case $input in *.cu | *.cpp) ;; *) continue ;; esac
  [ -e "$input" ] || { echo "nvcc fatal: no $input" >&2; exit 1; }
  name=$(basename "$input")
  cp "$input" "$STUB_SEEN/$name"
  if [ -n "$STUB_SLEEP" ]; then
    sleep_for=$STUB_SLEEP bash -c 'echo $$ >"$STUB_SEEN/sleeper"; exec sleep "$sleep_for"'
  fi
  if grep -q '#error' "$input"; then echo "$name(1): error: stub verdict" >&2; exit 2; fi
  if grep -q BREAKS_WHEN_INSTRUMENTED "$input" && grep -q '^CUI_UNIT' "$input"; then
    echo "$name(1): error: instrumented form" >&2; exit 2
  fi
  if grep -q MISTAKEN_BY_CICC "$input" && grep -q '^CUI_UNIT' "$input" && [[ $all != *" -DCUI_SPACES_BY_ASSEMBLY "* ]]; then
    echo "error: Broken function found, compilation aborted!" >&2; exit 2
  fi
  if grep -q MISTAKEN_AT_MANY_SITES "$input" && grep -q '^CUI_UNIT' "$input" && [[ $all != *" -DCUI_SPACES_BY_DETOUR "* ]]; then
    echo "error: Broken function found, compilation aborted!" >&2; exit 2
  fi
  if grep -q FILLS_CONSTANT_MEMORY "$input" && grep -q '^CUI_UNIT' "$input" && [[ $all != *" -DCUI_STATE_IN_GLOBAL_MEMORY "* ]]; then
    echo "ptxas error   : File uses too much global constant data (0x100a8 bytes, 0x10000 max)" >&2; exit 255
  fi
  if grep -q FAILS_UNLESS_LEFT "$input" && grep -q '^CUI_UNIT(0x1' "$input"; then
    echo "$name(7): error: instrumented form of a function" >&2; exit 2
  fi
  if grep -q FAILS_UNLESS_LINE_LEFT "$input" && grep -q '^CUI_UNIT(0x1' "$input"; then
    echo "$name(5): error: instrumented form of a line" >&2; exit 2
  fi
  [ "$suffix" = out ] && continue
  object=${output:-${name%.*}.$suffix}
  echo object >"$object"
  if [ -n "$makes_dependencies" ]; then
    escaped=${input// /\\ }
    headers=''
    while read -r header; do headers+=" \\"$'\n'"  ${header// /\\ }"; done < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$input")
    printf '%s : %s%s\n' "$object" "$escaped" "$headers" >"${dependencies:-${object%.*}.d}"
  fi
done
[ "$suffix" = out ] && echo program >"${output:-a.out}"
exit "${STUB_EXIT:-0}"
