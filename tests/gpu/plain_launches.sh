#!/bin/sh
# Which kernels of plain_launches.cu have one without the recorder beside them, and which of these leave out a
# sample's blocks; none where nobody could launch them.
#   plain_launches.sh SOURCE CUINSTRUMENT      (NVCC: nvcc)
set -eu
source=$1 cuinstrument=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compile() {
  options=$1
  shift
  # shellcheck disable=SC2086
  "$cuinstrument" $options --recorder=linked "$NVCC" -std=c++17 -arch=sm_90 "$@" "$source" -o "$folder/out"
}
# The object's own strings, which its host code registers.
kernels() { grep -aoE '_Z[0-9]+[A-Za-z]+[A-Za-z0-9_]*\$cui(Rest|Whole)' "$folder/out" | sort -u | tr '\n' ' '; }
expect() {
  found=$(kernels)
  if [ "$found" != "$1" ]; then
    echo "$2: $found" >&2
    exit 1
  fi
}
compile '' -c
# The last one's blocks wait for one another.
expect '_Z5waitsPViPi$cuiWhole _Z6calledPKiPi$cuiRest _Z6countsv$cuiRest _Z6scaledPi6Scaledc$cuiRest _Z6turnedILi3EEvPii$cuiRest _Z7inThreePiii$cuiRest _Z8lastAddsPKiPiPjS1_$cuiRest _Z8reversedPKiPii$cuiRest ' object
compile --no-plain-code -c
expect '' --no-plain-code
compile '' -cubin
expect '' -cubin
