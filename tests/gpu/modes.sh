#!/usr/bin/env bash
# Files compiled for one mode (--mode): their machine code has nothing of the other, also where units of both kinds are
# linked with relocatable device code, and a program says which of its files the present mode leaves out.
#   modes.sh NO_YIELD_DIR INCLUDE_DIR LIBRARY
set -euo pipefail
tools=$1
include=$2
library=$3
# shellcheck source=tests/gpu/hand_made.sh
. "$(dirname "$0")/hand_made.sh"

# An access, two and a loop of an expression each; a barrier; a launch.
unit() {  # number, host code
  cat <<EOF
#include "cuinstrument/instrument.h"
CUI_UNIT(0x$1, 3)
__global__ void kernel$1(int* p, int n) {
  CUI_KERNEL(0);
  CUI_ACCESS(0, p[threadIdx.x * threadIdx.x]) = 1;
  CUI_BARRIER(__syncthreads());
  CUI_TOGETHER((1, p[threadIdx.x], 2, p[blockIdx.x]), p[blockIdx.x] += p[threadIdx.x]);
  CUI_LOOP(1, 1, (int, k, 0, <, n, + 1), (), (0, p[k]), for (int k = 0; k < n; ++k) p[k] = 0;)
  for (int k = 0; k < n; ++k) CUI_LOOP_ACCESS(0, p[k]) = 0;
}
$2
EOF
  tables "$1.cu" "kernel$1" "${1}0" "${1}1" "${1}2"
}
launch='CUI_LAUNCH(0, kernelN CUI_LAUNCH_OPEN(<<<) CUI_GRID(1), CUI_BLOCK(32) CUI_LAUNCH_CLOSE(>>>)(nullptr, 0));'
unit 1 "void second(); int main() { ${launch/kernelN/kernel1} second(); }" > "$folder/1.cu"
unit 2 "void second() { ${launch/kernelN/kernel2} }" > "$folder/2.cu"

compile() {  # flags, source, output
  # shellcheck disable=SC2086 # several flags
  "${NVCC:-nvcc}" -std=c++17 -arch=sm_90 -I "$include" -Werror all-warnings $1 "$folder/$2" -o "$folder/$3"
}
functions() {  # cubin
  python3 - "$tools" "$folder/$1" > "$folder/$1.functions" <<'EOF'
import sys
sys.path.insert(0, sys.argv[1])
import no_yield
print("\n".join(name for name, _ in no_yield.functions(open(sys.argv[2], "rb").read())))
EOF
}
has() { grep -q "$2" "$folder/$1.functions" || fail "$1 lacks $2"; }
lacks() { ! grep "$2" "$folder/$1.functions" || fail "$1 has $2"; }

for mode in TRACE PROFILE; do
  compile "-DCUI_${mode}_ONLY -cubin" 1.cu "$mode.cubin"
  functions "$mode.cubin"
done
has TRACE.cubin recordGeneralILi1
lacks TRACE.cubin 'profile[LMRS]\|addToProfile'
has PROFILE.cubin profileLanes
has PROFILE.cubin recordWarpILi2  # under another name: the linker merges what has one name
lacks PROFILE.cubin 'recordGeneral\|recordPart\|takeChunks\|tellTime'

! compile "-DCUI_TRACE_ONLY -DCUI_PROFILE_ONLY -c" 1.cu none.o 2> "$folder/messages" || fail 'two only modes'
grep -q 'exclude each other' "$folder/messages" || fail "$(cat "$folder/messages")"

# The linker merges functions of one name: none that depends on the mode may have it in both, nor where nothing is inlined.
for mode in TRACE PROFILE; do
  compile "-DCUI_${mode}_ONLY -G -rdc=true -cubin" 1.cu "merged.$mode"
  functions "merged.$mode"
done
sort -u "$folder/merged.TRACE.functions" > "$folder/names"
grep -q recordTogether "$folder/names" || fail 'recordTogether is inlined: this test knows nothing'
! sort -u "$folder/merged.PROFILE.functions" | comm -12 "$folder/names" - | grep 'record[ATILSWGFT]\|cuiTogether\|cuiAccess\|cuiLoopAccess\|blockBarrier\|emit\|takeSlots' || fail 'the linker would merge these'

compile "-rdc=true -DCUI_TRACE_ONLY -c" 1.cu 1.o
compile "-rdc=true -DCUI_PROFILE_ONLY -c" 2.cu 2.o
"${NVCC:-nvcc}" -arch=sm_90 -rdc=true -o "$folder/program" "$folder/1.o" "$folder/2.o" "$library" -lpthread -ldl -lm
said() {  # mode, the file that is left out, its mode
  rm -f "$folder/t.db"
  CUINSTRUMENT_MODE=$1 CUINSTRUMENT_DB="$folder/t.db" "$folder/program" 2> "$folder/messages" || fail "exit status $?"
  grep -q "^cuinstrument: $2.cu is compiled for CUINSTRUMENT_MODE=$3 only: in mode $1 " "$folder/messages" || fail "$(cat "$folder/messages")"
  [ "$(grep -c 'is compiled for' "$folder/messages")" = 1 ] || fail "$(cat "$folder/messages")"
  [ "$(sqlite3 "$folder/t.db" "SELECT value, detail FROM trace_stat WHERE name = 'mode_not_compiled'")" = "1|$2.cu is compiled for CUINSTRUMENT_MODE=$3 only" ] ||
    fail 'no such row in trace_stat'
}
said trace 2 profile
said profile 1 trace
