#!/bin/sh
# Which kernels of tallies.cu have one beside them that keeps sums in registers (cli/compile/tallied_kernels.h), or that writes its
# records itself (in_place_kernels.h).
#   tallies.sh SOURCE CUINSTRUMENT      (NVCC: nvcc)
set -eu
source=$1 cuinstrument=$2
export CUINSTRUMENT_MODE_KERNELS=all  # more than there would be room for
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compiled() {
  "$cuinstrument" --strict --recorder=linked "$NVCC" -std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra -c "$@" "$source" -o "$folder/out"
}
# What the host code registers.
kernels() {
  grep -aoE "_Z[0-9]+[A-Za-z]+[A-Za-z0-9_]*\\\$cui$1" "$folder/out" | sed "s/.cui$1//" | LC_ALL=C sort -u | tr '\n' ' '
}
check() {
  found=$(kernels "$1")
  [ "$found" = "$2" ] && return
  echo "$1: $found" >&2
  exit 1
}
# Those whose PTX has that word.
written() {
  found=$(awk -v word="$1" '/\.entry/ { kernel = $3 } index($0, word) { print kernel }' "$folder/$(basename "$source" .cu).ptx" |
    grep -o '_Z.*cuiInPlace' | sed 's/.cuiInPlace//' | LC_ALL=C sort -u | tr '\n' ' ')
  [ "$found" = "$2" ] && return
  echo "$1: $found" >&2
  exit 1
}
# The others have more sites than there are registers for, or such whose cost a function has to find out.
expected='_Z10goesInStepPKiPii _Z10notAlignedPKiPK6PackedPii _Z10sideBySidePKiPcyi _Z12atomicRoundsPKiPKjPi _Z12globalRoundsI6float4EvPKiPKjPKT_PS5_i _Z12globalRoundsIdEvPKiPKjPKT_PS4_i _Z12globalRoundsIhEvPKiPKjPKT_PS4_i _Z12globalRoundsIiEvPKiPKjPKT_PS4_i _Z12globalRoundsIsEvPKiPKjPKT_PS4_i _Z12returnsApartPKiPii _Z12sharedRoundsIhEvPKiPKjPT_ _Z12sharedRoundsIiEvPKiPKjPT_ _Z12sharedRoundsIsEvPKiPKjPT_ _Z17sortsBetweenLoopsPKiPii _Z6faultsPKiPiiS1_b _Z8unrolledPKiPii _Z9bothSidesPKiPcyi _Z9longChainPKiPii _Z9treeApartPKiS0_Pii '
compiled -arch=sm_90 --keep --keep-dir "$folder"
check Tallied "$expected"
# Not those that have too little of it, but one whose inner loops are recorded wholly.
expected='_Z10goesInStepPKiPii _Z10notAlignedPKiPK6PackedPii _Z10sideBySidePKiPcyi _Z11loopsInLoopPKiPiii _Z12atomicRoundsPKiPKjPi _Z12globalRoundsI6float4EvPKiPKjPKT_PS5_i _Z12globalRoundsIdEvPKiPKjPKT_PS4_i _Z12globalRoundsIhEvPKiPKjPKT_PS4_i _Z12globalRoundsIiEvPKiPKjPKT_PS4_i _Z12globalRoundsIsEvPKiPKjPKT_PS4_i _Z12returnsApartPKiPii _Z12sharedRoundsI6float4EvPKiPKjPT_ _Z12sharedRoundsIdEvPKiPKjPT_ _Z12sharedRoundsIhEvPKiPKjPT_ _Z12sharedRoundsIiEvPKiPKjPT_ _Z12sharedRoundsIsEvPKiPKjPT_ _Z17sortsBetweenLoopsPKiPii _Z4widePKiPK6PackedPii _Z6faultsPKiPiiS1_b _Z8unrolledPKiPii _Z9bothSidesPKiPcyi _Z9longChainPKiPii _Z9treeApartPKiS0_Pii '
check InPlace "$expected"
# Rules that are asked for again, answers that are kept, and values that are in memory.
written '%cuihk<' '_Z10goesInStepPKiPii _Z17sortsBetweenLoopsPKiPii '
written cuiOnce '_Z11loopsInLoopPKiPiii '
written cuiRare '_Z11loopsInLoopPKiPiii '
# No instruction that combines lanes' numbers.
compiled -arch=sm_75
check Tallied ""
check InPlace ""
