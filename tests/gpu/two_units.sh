#!/usr/bin/env bash
# Two units in one program with relocatable device code: a device function called across units, one inline
# function in both, per-thread default streams, launches in a static constructor. Compiles and links, with the
# host side in the units, in the library, and, which is refused, in both.
#   two_units.sh INCLUDE_DIR LIBRARY_INCLUDE_DIR LIBRARY
# LIBRARY_INCLUDE_DIR: that of a build or an installation, which says that LIBRARY has the host side.
set -euo pipefail
include=$1
library_include=$2
library=$3
# shellcheck source=tests/gpu/hand_made.sh
. "$(dirname "$0")/hand_made.sh"

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
# A unit of the library's next version: of it only the table may be read.
cat > "$folder/newer.cpp" <<'EOF'
#include "cuinstrument/backend/cuda/host_library.h"
#include "cuinstrument/host/abi.h"
int main() {
  static const cui::format::UnitTable table = {cui::format::unitFormatVersion, 3, "newer.cu"};
  cuiCudaLinkUnit(CUI_CUDA_HOST_VERSION + 1, &table, nullptr);
  cuiCudaAnnounceLaunch(nullptr, 0);
  cuiCudaLaunchStream(nullptr);
  cuiCudaConcludeLaunch(nullptr, 0);
  return cuiRecording();
}
EOF

compile() {  # include folder, source, object
  "${NVCC:-nvcc}" -std=c++17 -arch=sm_90 -rdc=true --default-stream per-thread -Xcompiler -fPIC -I "$1" -Werror all-warnings \
    -c "$folder/$2" -o "$folder/$3"
}
# Without a GPU both launches are refused and the program goes on; with one it must not fail either.
run() {  # program, object…
  local program=$folder/$1
  shift
  "${NVCC:-nvcc}" -arch=sm_90 -o "$program" "${@/#/$folder/}" "$library" -lpthread -ldl -lm
  CUINSTRUMENT_DB="$folder/t.db" "$program" 2> "$program.messages" || fail "$program: exit status $?"
}
refused() { grep -c 'another host side' "$folder/$1.messages" || true; }
symbols() { nm "$folder/$1" > "$folder/symbols"; }

compile "$include" a.cu a_units.o
compile "$include" b.cu b_units.o
run units a_units.o b_units.o
[ "$(refused units)" = 0 ] || fail "$(cat "$folder/units.messages")"
symbols units
! grep -q ' T cuiCuda' "$folder/symbols" || fail 'the library is linked although nothing calls it'

if [ ! -e "$library_include/cuinstrument/cuda_library.h" ]; then
  echo 'built without a toolkit: there is no host side in the library'
  exit 0
fi
compile "$library_include" a.cu a_library.o
compile "$library_include" b.cu b_library.o
symbols a_library.o
! grep -q harvestEvents "$folder/symbols" || fail 'the unit compiles the host side itself'
run library a_library.o b_library.o
[ "$(refused library)" = 0 ] || fail "$(cat "$folder/library.messages")"
symbols library
grep -q ' T cuiCudaLinkUnit' "$folder/symbols" || fail 'the library is not linked'
! grep -q ' [WVu] .*3cui7backend7runtime' "$folder/symbols" || fail 'the library shows more than its interface'
# In a shared library: its unit is known to the end, and so it stays.
"${NVCC:-nvcc}" -arch=sm_90 -shared -o "$folder/both.so" "$folder"/[ab]_library.o "$library" -lpthread -ldl -lm
cat > "$folder/loader.cpp" <<'EOF'
#include <dlfcn.h>
int main(int, char** arguments) {
  void* const library = dlopen(arguments[1], RTLD_NOW);
  return library == nullptr || dlclose(library) != 0 || dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) == nullptr;
}
EOF
compile "$library_include" loader.cpp loader.o
"${NVCC:-nvcc}" -o "$folder/loader" "$folder/loader.o" -ldl
CUINSTRUMENT_DB="$folder/t.db" "$folder/loader" "$folder/both.so" || fail 'the shared library is unloaded'

run mixed a_library.o b_units.o
[ "$(refused mixed)" = 1 ] || fail "mixed: $(cat "$folder/mixed.messages")"
compile "$library_include" newer.cpp newer.o
run newer newer.o
[ "$(refused newer)" = 1 ] || fail "newer: $(cat "$folder/newer.messages")"
