#!/bin/sh
# Which kernels of tallies.cu have one beside them that keeps sums in registers (cli/compile/tallied_kernels.h).
#   tallies.sh SOURCE CUINSTRUMENT      (NVCC: nvcc)
set -eu
source=$1 cuinstrument=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
kernels() {
  "$cuinstrument" --strict --recorder=linked "$NVCC" -std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra -c "$@" "$source" -o "$folder/out"
  # What the host code registers.
  grep -aoE '_Z[0-9]+[A-Za-z]+[A-Za-z0-9_]*\$cuiTallied' "$folder/out" | sed 's/.cuiTallied//' | sort -u | tr '\n' ' '
}
# The others have more sites than there are registers for, or such whose cost a function has to find out.
expected='_Z10goesInStepPKiPii _Z10notAlignedPKiPK6PackedPii _Z10sideBySidePKiPcyi _Z12atomicRoundsPKiPKjPi _Z12globalRoundsI6float4EvPKiPKjPKT_PS5_i _Z12globalRoundsIdEvPKiPKjPKT_PS4_i _Z12globalRoundsIhEvPKiPKjPKT_PS4_i _Z12globalRoundsIiEvPKiPKjPKT_PS4_i _Z12globalRoundsIsEvPKiPKjPKT_PS4_i _Z12returnsApartPKiPii _Z12sharedRoundsIhEvPKiPKjPT_ _Z12sharedRoundsIiEvPKiPKjPT_ _Z12sharedRoundsIsEvPKiPKjPT_ _Z6faultsPKiPii _Z8unrolledPKiPii _Z9bothSidesPKiPcyi _Z9longChainPKiPii _Z9treeApartPKiS0_Pii '
found=$(kernels -arch=sm_90)
if [ "$found" != "$expected" ]; then
  echo "$found" >&2
  exit 1
fi
# No instruction that combines lanes' numbers.
if [ -n "$(kernels -arch=sm_75)" ]; then
  echo "sm_75 has some" >&2
  exit 1
fi
