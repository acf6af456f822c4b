#!/usr/bin/env bash
# Builds linked_units.cu and relocatable.cu, two units each, in every way in which relocatable code gets its recorder and its
# device link; linked_units.py runs them where a GPU is. Needs nvcc, no GPU.
#   linked_units.sh FOLDER [CUINSTRUMENT [GPU]]    CUINSTRUMENT: of the build or installation, else on PATH; GPU: 90 unless said
set -euo pipefail
folder=$1
cuinstrument=${2:-cuinstrument}
gpu=${3:-90}
sources=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
cd "$folder"
nvcc=${NVCC:-nvcc}
libraries=$("$sources/nvcc_libraries.sh" "$nvcc")

units() {  # name of the objects, words of ours before nvcc, words of nvcc
  # shellcheck disable=SC2086 # several words
  "$cuinstrument" $2 nvcc -std=c++17 -O2 $3 -dc "$sources/linked_units.cu" -o "$1.1.o"
  # shellcheck disable=SC2086
  "$cuinstrument" $2 nvcc -std=c++17 -O2 $3 -DSECOND_UNIT -dc "$sources/linked_units.cu" -o "$1.2.o"
}
link() { "$cuinstrument" nvcc -arch="sm_$gpu" "${@:2}" -o "$1"; }
linked_by_gxx() {  # program, objects and libraries with the device link among them
  # shellcheck disable=SC2046 # several words
  g++ "${@:2}" $("$cuinstrument" flags --link) "$libraries" -lcudadevrt -lcudart_static -lrt -lpthread -ldl -o "$1"
}

units joined --strict "-arch=sm_$gpu"
units compiled '--strict --recorder=compiled' "-arch=sm_$gpu"
units bounded --strict "-arch=sm_$gpu -DBOUNDED"
units text --strict "-arch=compute_$gpu"
units older --strict '-arch=sm_80'
link ours joined.1.o joined.2.o
"$cuinstrument" nvcc -arch="sm_$gpu" -dlink joined.1.o joined.2.o -o ours.link.o
linked_by_gxx dlink joined.1.o joined.2.o ours.link.o
"$nvcc" -lib joined.2.o -o second.a
"$nvcc" -arch="sm_$gpu" -dlink joined.1.o second.a -o nvcc.link.o
linked_by_gxx nvcc joined.1.o nvcc.link.o second.a
link mixed joined.1.o compiled.2.o
link bounded joined.1.o bounded.2.o
link bounded_first bounded.2.o joined.1.o
link compiled compiled.1.o compiled.2.o
# nvlink compiles the PTX; the driver does.
link text text.1.o text.2.o
"$cuinstrument" nvcc -arch=sm_80 older.1.o older.2.o -o driver
"$nvcc" -std=c++17 -arch=sm_80 -dc "$sources/linked_units.cu" -o plain.1.o
"$nvcc" -std=c++17 -arch=sm_80 -DSECOND_UNIT -dc "$sources/linked_units.cu" -o plain.2.o
"$nvcc" -arch=sm_80 plain.1.o plain.2.o -o plain_driver
"$cuinstrument" --strict nvcc -std=c++17 -arch="sm_$gpu" -dc "$sources/relocatable.cu" -o relocatable.1.o
"$cuinstrument" --strict nvcc -std=c++17 -arch="sm_$gpu" -DSECOND_UNIT -dc "$sources/relocatable.cu" -o relocatable.2.o
link relocatable relocatable.1.o relocatable.2.o
rm -f ./*.o second.a
