#!/usr/bin/env bash
# Two units in one program with relocatable device code: a device function called across units, one inline
# function in both, per-thread default streams, launches in a static constructor. Compiles and links.
#   two_units.sh INCLUDE_DIR LIBRARY
set -euo pipefail
include=$1
library=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

tables() {  # file, kernel
  cat <<EOF
CUI_TABLE_FILES CUI_FILE("$1", "/$1", 0x1)
CUI_TABLE_SITES CUI_SITE(0x$3, 0, 1, 1, 1, 2, store, global, instrumented, 4, 0, "f", "p[0]", "p", "0", "int", "", "", "")
CUI_TABLE_KERNELS CUI_KERNEL_ENTRY("$2", 0, 1, 1)
CUI_TABLE_LAUNCHES CUI_LAUNCH_ENTRY("$2", "$2", "main", 0, 1, 1, 0)
CUI_TABLE_CALLS
CUI_TABLE_VARIABLES
CUI_TABLE_GLOBALS
CUI_TABLE_END("$1", "by hand")
EOF
}

{ cat <<'EOF'
#include "cuinstrument/instrument.h"
CUI_UNIT(0x1, 1)
inline __device__ void both(int* p) { CUI_ACCESS(0, p[0]) = 1; }
__device__ void fromA(int* p) { both(p); }
__global__ void kernelA(int* p) { CUI_KERNEL(0); both(p); }
struct Early {
  Early() { CUI_LAUNCH(0, kernelA CUI_LAUNCH_OPEN(<<<) CUI_GRID(1), CUI_BLOCK(1) CUI_LAUNCH_CLOSE(>>>)(nullptr)); }
} early;
void runB();
int main() { runB(); }
EOF
tables a.cu kernelA 10; } > "$folder/a.cu"
{ cat <<'EOF'
#include "cuinstrument/instrument.h"
CUI_UNIT(0x2, 1)
inline __device__ void both(int* p) { CUI_ACCESS(0, p[0]) = 1; }
extern __device__ void fromA(int* p);
__global__ void kernelB(int* p) { CUI_KERNEL(0); fromA(p); both(p); }
void runB() { CUI_LAUNCH(0, kernelB CUI_LAUNCH_OPEN(<<<) CUI_GRID(1), CUI_BLOCK(1) CUI_LAUNCH_CLOSE(>>>)(nullptr)); }
EOF
tables b.cu kernelB 20; } > "$folder/b.cu"

"${NVCC:-nvcc}" -std=c++17 -arch=sm_90 -rdc=true --default-stream per-thread -I "$include" -Werror all-warnings \
  -o "$folder/two" "$folder/a.cu" "$folder/b.cu" "$library" -lpthread -ldl -lm
# Without a GPU both launches are refused and the program goes on; with one it must not fail either.
CUINSTRUMENT_DB="$folder/t.db" "$folder/two"
