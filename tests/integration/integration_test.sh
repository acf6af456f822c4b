# Builds the integration examples with an installed copy of this tree, which has been moved since: the prefix in
# $INSTALLED. Cases that need nvcc end with 77 (skipped) where there is none; nothing here needs a GPU.
. "$SOURCE/tests/cli/lib.sh"
export CUINSTRUMENT_CACHE=$(dirname "$INSTALLED")/cache
export PATH=$INSTALLED/bin:$PATH
architecture=90
need_nvcc() { command -v nvcc >/dev/null || { echo 'no nvcc here'; exit 77; }; }

# The fixture: `cmake --install`, then the whole tree goes somewhere else.
case_install() {
  rm -rf "$INSTALLED"
  run 0 cmake --install "$BUILD" --prefix "$work/first"
  mkdir -p "$(dirname "$INSTALLED")"
  mv "$work/first" "$INSTALLED"
  exists "$INSTALLED"/bin/cuinstrument "$INSTALLED"/bin/cuinstrument-rewrite "$INSTALLED"/include/cuinstrument/instrument.h \
    "$INSTALLED"/share/cuinstrument/{LICENSE,cuinstrument.mk}
}

case_no_absolute_paths_installed() {
  ! grep -rIlF -e "$SOURCE" -e "$BUILD" "$INSTALLED" >"$work/out" || fail 'these files name the source or build tree'
}

case_make_cpu() {
  cp -r "$SOURCE"/examples/integration-make/. .
  run 0 make INSTRUMENT=cpu
  CUINSTRUMENT_DB=t.db run 0 ./saxpy
  out_has 'saxpy: correct'
  run 0 cuinstrument validate t.db
  # 1000 threads: 32 warps; y[i] = a * x[i] + y[i] is two loads and a store.
  run 0 cuinstrument query t.db --format csv "SELECT sum(requests), sum(thread_accesses) FROM site_metric"
  out_has '96,3000'
  run 0 make -q INSTRUMENT=cpu
  touch saxpy.h
  run 1 make -q INSTRUMENT=cpu  # the dependency file names the user's header
  # Run again with recording off: no trace.
  CUINSTRUMENT=off CUINSTRUMENT_DB=off.db run 0 ./saxpy
  absent off.db
}

case_make_cpu_older_standard() {
  cp -r "$SOURCE"/examples/integration-make/. .
  run 0 make INSTRUMENT=cpu NVCCFLAGS='-std=c++11 -Xcompiler -Wall'
  CUINSTRUMENT_DB=t.db run 0 ./saxpy
  run 0 cuinstrument validate t.db
}

case_make_cuda() {
  need_nvcc
  cp -r "$SOURCE"/examples/integration-make/. .
  run 0 make -j2 NVCC='cuinstrument --strict nvcc' NVCCFLAGS="-O2 -arch=sm_$architecture"
  nm saxpy.o | grep -qi cui || fail 'saxpy.o is not instrumented'
  grep -q '^saxpy.o : saxpy.cu' saxpy.d || fail "saxpy.d: $(head -3 saxpy.d)"
  temporary_files_gone
}

case_cmake_cpu() {
  cp -r "$SOURCE"/examples/integration-cmake/. .
  run 0 cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH="$INSTALLED" -DBACKEND=cpu
  run 0 cmake --build build
  CUINSTRUMENT_DB=t.db run 0 ./build/scale
  out_has 'scale: correct'
  run 0 cuinstrument validate t.db
  # 512 threads in 4 blocks: 16 warps; the access is in a header.
  run 0 cuinstrument query t.db --format csv "SELECT requests, kind, file FROM hot_site"
  grep -qE '^16,rmw,.*element\.h' "$work/out" || fail 'the access in element.h'
  sed -i 's/data\[i\] \*= FACTOR/data[i] = FACTOR * data[i]/' src/element.h
  run 0 cmake --build build
  CUINSTRUMENT_DB=u.db run 0 ./build/scale
  run 0 cuinstrument query u.db --format csv "SELECT count(*) FROM site"
  out_has 2  # a header's change was noticed
}

case_cmake_cpu_makefiles() {
  cp -r "$SOURCE"/examples/integration-cmake/. .
  mkdir 'a b'
  run 0 cmake -S . -B 'a b/build' -G 'Unix Makefiles' -DCMAKE_PREFIX_PATH="$INSTALLED"
  run 0 cmake --build 'a b/build'
  CUINSTRUMENT_DB=t.db run 0 './a b/build/scale'
  out_has 'scale: correct'
}

case_cmake_cuda() {
  need_nvcc
  cp -r "$SOURCE"/examples/integration-cmake/. .
  run 0 cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH="$INSTALLED" -DBACKEND=cuda -DCMAKE_CUDA_ARCHITECTURES=$architecture
  run 0 cmake --build build
  nm build/scale | grep -q cuiRegisterUnit || fail 'scale is not instrumented'
}

case_cmake_wrong_use() {
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\nfind_package(cuinstrument REQUIRED)\n' >CMakeLists.txt
  # shellcheck disable=SC2016
  echo 'file(WRITE ${CMAKE_BINARY_DIR}/a.cpp "int main() {}")
add_executable(a ${CMAKE_BINARY_DIR}/a.cpp)
cuinstrument_instrument(${TARGET} BACKEND ${BACKEND})' >>CMakeLists.txt
  for arguments in 'none cpu' 'a gpu' 'a cuda' 'a cpu'; do
    # shellcheck disable=SC2086
    set -- $arguments
    cmake -S . -B build -DCMAKE_PREFIX_PATH="$INSTALLED" -DTARGET="$1" -DBACKEND="$2" >"$work/out" 2>"$work/err" &&
      fail "accepted: cuinstrument_instrument($1 BACKEND $2)"
    grep -q cuinstrument_instrument "$work/err" || fail "unclear: cuinstrument_instrument($1 BACKEND $2)"
  done
}

# A project of CUDA alone: neither C nor C++ is enabled.
case_cmake_cuda_alone() {
  need_nvcc
  cp "$SOURCE/examples/integration-launcher/square.cu" .
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CUDA)\nadd_executable(square square.cu)
find_package(cuinstrument REQUIRED)\ncuinstrument_instrument(square BACKEND ${BACKEND})\n' >CMakeLists.txt
  run 0 cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH="$INSTALLED" -DCMAKE_CUDA_ARCHITECTURES=$architecture -DBACKEND=cuda
  run 0 cmake --build build
  nm build/square | grep -q cuiRegisterUnit || fail 'square is not instrumented'
  run 1 cmake -S . -B build -DBACKEND=cpu
  err_has 'needs the CXX language'
}

case_cmake_launcher() {
  need_nvcc
  cp -r "$SOURCE"/examples/integration-launcher/. .
  libraries=$(cuinstrument flags --link)
  run 0 cmake -S . -B build -G Ninja -DCMAKE_CUDA_ARCHITECTURES=$architecture \
    -DCMAKE_CUDA_COMPILER_LAUNCHER="cuinstrument;launcher" \
    -DCMAKE_CUDA_STANDARD_LIBRARIES="$libraries" -DCMAKE_CXX_STANDARD_LIBRARIES="$libraries"
  run 0 cmake --build build
  for program in square cube; do  # linked by nvcc, by the C++ compiler
    nm build/$program | grep -q cuiRegisterUnit || fail "$program is not instrumented"
  done
  touch square.cu
  cmake --build build | grep -q 'no work' && fail 'the dependency file does not name square.cu'
  return 0
}

# Allocations by an object that was not instrumented have rows without a place, whoever links.
case_allocations_by_plain_objects() {
  cat >plain.cpp <<'END'
#include <cuda_runtime.h>
float* make(int n) {
  float* made = nullptr;
  cudaMalloc(&made, n * sizeof(float));
  return made;
}
void drop(float* made) { cudaFree(made); }
END
  cat >main.cu <<'END'
float* make(int n);
void drop(float* made);
__global__ void copy(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x]; }
int main() {
  float* own = nullptr;
  cudaMalloc(&own, 128);
  float* made = make(64);
  copy<<<1, 32>>>(made, own);
  const cudaError_t error = cudaDeviceSynchronize();
  drop(made);
  cudaFree(own);
  return error;
}
END
  flags=$(cuinstrument flags --backend cpu --compile)
  # shellcheck disable=SC2086
  run 0 g++ $flags -c plain.cpp
  run 0 cuinstrument cpu -c main.cu -o main.o
  run 0 cuinstrument cpu main.o plain.o -o by_us
  # shellcheck disable=SC2046
  run 0 g++ main.o plain.o $(cuinstrument flags --backend cpu --link) -o by_gcc
  for program in by_us by_gcc; do
    CUINSTRUMENT_DB=$program.db run 0 ./$program
    run 0 cuinstrument query $program.db --format csv \
      "SELECT api, bytes, name, file, line, freed_api FROM allocation WHERE name = '' OR name = 'own' ORDER BY 1, 2"
    sed 1d "$work/out" | tr -d '\r' | sed 's|[^,]*/main.cu|main.cu|' >rows
    printf '%s\n' 'cudaMalloc,128,own,main.cu,6,cudaFree' 'cudaMalloc,256,"","",0,cudaFree' | cmp - rows ||
      fail "rows: $(cat rows)"
    # 32 floats of the 64 are read: the access is known to be in that allocation.
    run 0 cuinstrument query $program.db --format csv \
      "SELECT a.bytes FROM site_allocation JOIN site s USING (site_id) JOIN allocation a USING (allocation_id) WHERE s.kind = 'load'"
    out_has 256
  done
}

# Real nvcc, one line of each kind.
case_nvcc_lines() {
  need_nvcc
  cp "$SOURCE"/examples/integration-launcher/square.cu .
  run 0 cuinstrument --strict nvcc -arch=sm_$architecture -ptx square.cu
  grep -q '\.entry' square.ptx || fail 'PTX'
  run 0 cuinstrument --strict nvcc -arch=sm_$architecture -dc -std=c++14 square.cu -o square.o
  # An older standard than our headers'.
  for standard in 03 11; do
    run 0 cuinstrument --strict nvcc -arch=sm_$architecture -std=c++$standard -c square.cu -o square.o
    nm square.o | grep -qE 'cuiRegisterUnit|cuiCudaLinkUnit' || fail "C++$standard: not instrumented"
  done
  # A launch from a lambda, which the device could make with relocatable code.
  sed -i 's/^  square<<<1, 64>>>(device);/  auto launch = [\&] { square<<<1, 64>>>(device); };\n  launch();/' square.cu
  run 0 cuinstrument --strict --keep-rewritten kept nvcc -arch=sm_$architecture -dc -std=c++14 square.cu -o square.o
  grep -q 'CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(64)CUI_LAUNCH_CLOSE(>>>)' kept/0/square.cu || fail 'the launch in a lambda'
  nm square.o | grep -q 'U cuiCudaLinkUnit' || fail 'the host side is compiled again'
  run 0 cuinstrument nvcc -arch=sm_$architecture -dlink square.o -o link.o
  run 0 cuinstrument nvcc -arch=sm_$architecture square.o link.o -o square
  nm square | grep -q cuiRegisterUnit || fail 'not instrumented'
  cp square.cu square.cpp
  # The linker finds nothing to complain of.
  run 0 cuinstrument --strict nvcc -arch=sm_$architecture -x cu square.cpp -o named -Xlinker --fatal-warnings
  nm named | grep -q cuiRegisterUnit || fail '-x cu, compiled and linked in one line: not instrumented'
  # Its own calls, and those that its headers would make: `cudaMalloc` is called by nobody but the wrapper.
  nm square | grep -q ' W __wrap_cudaMalloc$' || fail 'allocations by other code are not seen'
  nm square | grep -q ' W __wrap_cudaLaunchKernel$' || fail 'launches by other code are not seen'
  nm square | grep -qi ' t cudaFuncGetName$' || fail 'their kernels have no names'
  temporary_files_gone
}

# Makefiles name the toolkit's folder: its headers are not the user's for that, and have no rows.
case_nvcc_line_that_names_the_toolkit() {
  need_nvcc
  echo '__global__ void k(int* p) { p[0] = 1; }' >a.cu
  toolkit=$(nvcc --dryrun -c -x cu /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p')
  for words in "-I$toolkit/include" "-I $toolkit/include/cccl -I$toolkit/include"; do
    # shellcheck disable=SC2086
    run 0 cuinstrument --strict --emit-metadata sites.json nvcc -arch=sm_$architecture $words -c a.cu
    [ "$(grep -o '"expression"' sites.json | wc -l)" = 1 ] || fail "more rows than one with $words"
  done
}

# What -include names is instrumented wherever the option stands, with several sources on the line, and is once in each.
case_nvcc_forced_includes() {
  need_nvcc
  mkdir headers
  echo '__device__ inline float twice(const float* p) { return 2 * p[0]; }' >headers/forced.h
  echo 'static const int other = 1;' >other.h
  echo '-include headers/forced.h' >words
  echo '__global__ void first(float* p) { p[other] = twice(p); }' >a.cu
  echo '__global__ void second(float* p) { p[2] = other; }' >b.cu
  echo '__global__ void third(float* p) { p[3] = twice(p); } int main() {}' >c.cu
  for line in '-include headers/forced.h,other.h a.cu b.cu c.cu' '-optf words -include=other.h a.cu b.cu c.cu'; do
    run 0 cuinstrument --strict --keep-rewritten kept nvcc -arch=sm_$architecture $line -o prog
    grep -rq 'CUI_ACCESS(.*p\[0\])' kept/0/a.cu.d || fail "$line: the header in a.cu"
    grep -rq 'CUI_ACCESS(.*p\[0\])' kept/2/c.cu.d || fail "$line: the header in c.cu"
    rm -r kept
  done
  NVCC_PREPEND_FLAGS='-include headers/forced.h' NVCC_APPEND_FLAGS='-include other.h' \
    run 0 cuinstrument --strict --keep-rewritten kept nvcc -arch=sm_$architecture -c c.cu -o c.o
  grep -rq 'CUI_ACCESS(.*p\[0\])' kept/0/c.cu.d || fail 'the header in the environment'
  # A C++ source needs the option.
  sed -i 's/__device__//' headers/forced.h
  echo 'float fourth(float* p) { return twice(p); }' >d.cpp
  run 0 cuinstrument --strict nvcc -arch=sm_$architecture -include headers/forced.h,other.h b.cu d.cpp -c
  temporary_files_gone
}

# counted NAME…: the sum of these counters of ccache's.
counted() {
  local name sum=0
  for name in "$@"; do sum=$((sum + $(ccache --print-stats | awk -v name="$name" '$1 == name {print $2}'))); done
  echo $sum
}
need_ccache() {
  need_nvcc
  command -v ccache >/dev/null || { echo 'no ccache here'; exit 77; }
  export CCACHE_DIR=$work/ccache CCACHE_CONFIGPATH=$work/none
  unset CCACHE_DISABLE CCACHE_READONLY
}

# The cache between us and nvcc: what it keeps is the instrumented object.
case_nvcc_behind_ccache() {
  need_ccache
  cp "$SOURCE"/examples/integration-launcher/square.cu .
  run 0 cuinstrument --strict ccache nvcc -arch=sm_$architecture -c square.cu -o square.o
  nm square.o | grep -qE 'cuiRegisterUnit|cuiCudaLinkUnit' || fail 'not instrumented'
  mv square.o first.o
  CUINSTRUMENT_NVCC='ccache nvcc' run 0 cuinstrument --strict nvcc -arch=sm_$architecture -c square.cu -o square.o
  cmp first.o square.o || fail 'another object'
  [ "$(counted cache_miss)" = 1 ] || fail "compiled more than once: $(ccache --print-stats)"
  [ "$(counted direct_cache_hit preprocessed_cache_hit)" = 1 ] || fail "no hit: $(ccache --print-stats)"
  temporary_files_gone
}

# The cache in front of us takes us for the compiler.
case_ccache_in_front() {
  need_ccache
  cp "$SOURCE"/examples/integration-launcher/square.cu .
  echo '#define FACTOR 2' >factor.h
  sed -i '1i #include "factor.h"' square.cu
  run 0 ccache cuinstrument --strict nvcc -arch=sm_$architecture -c square.cu -o first.o
  nm first.o | grep -qE 'cuiRegisterUnit|cuiCudaLinkUnit' || fail 'not instrumented'
  run 0 ccache cuinstrument --strict nvcc -arch=sm_$architecture -c square.cu -o second.o
  cmp first.o second.o || fail 'another object'
  [ "$(counted direct_cache_hit preprocessed_cache_hit)" = 1 ] || fail "no hit: $(ccache --print-stats)"
  echo '__device__ int in_the_header;' >factor.h
  run 0 ccache cuinstrument --strict nvcc -arch=sm_$architecture -c square.cu -o third.o
  nm third.o | grep -q in_the_header || fail 'an old object in spite of a changed header'
  temporary_files_gone
}

# Device code alone, and intermediate files, are the instrumented ones and lie where nvcc would put them.
# The host's compiler is done before the device's images are there; objects are the same each time.
case_nvcc_steps_side_by_side() {
  need_nvcc
  cp "$SOURCE"/examples/vector_add/vector_add.cu "$SOURCE"/examples/common/example.h .
  sed -i 's|../common/||' vector_add.cu
  echo 'namespace { __device__ int own; }' >>vector_add.cu # whose name has the module's in it
  mkdir tools
  local real
  real=$(command -v as)
  # How many times an assembler is to read images from elsewhere, of each that runs.
  printf '#!/bin/sh\nfor file; do :; done\ngrep -c "^.include .*images" "$file" >>%q\nexec %q "$@"\n' "$PWD/log" "$real" >tools/as
  chmod +x tools/as
  compiled() {
    rm -f log
    PATH=$PWD/tools:$PATH run 0 cuinstrument --strict "$@" -O2 -c vector_add.cu -o vector_add.o
    paste -sd ' ' log
  }
  local sm=sm_$architecture
  for line in "2 nvcc -arch=$sm" "2 nvcc -gencode arch=compute_$architecture,code=$sm" "1 nvcc -arch=$sm -rdc=true" \
      "2 nvcc -gencode arch=compute_75,code=sm_75 -gencode arch=compute_$architecture,code=[$sm,compute_$architecture]" \
      "1 --no-plain-code nvcc -arch=$sm" "1 --recorder=compiled nvcc -arch=$sm" "0 nvcc -arch=$sm -Xcompiler -flto" \
      "0 --jobs 1 nvcc -arch=$sm" "0 nvcc -arch=$sm --keep"; do
    [ "$(compiled ${line#* })" = "${line%% *}" ] || fail "assemblers: $(paste -sd ' ' log), $line"
    case $line in "2 nvcc -arch"* | *-rdc=true) ;; *) continue ;; esac
    mv vector_add.o first.o
    compiled ${line#* } >again
    cmp vector_add.o first.o || fail "another object: $line"
  done
  temporary_files_gone
}

case_nvcc_device_outputs() {
  need_nvcc
  cp "$SOURCE"/examples/integration-launcher/square.cu .
  run 0 cuinstrument --strict nvcc -arch=sm_$architecture -cubin square.cu
  grep -qE 'record(Warp|Two|Three)' square.cubin || fail 'cubin: not instrumented'
  run 0 cuinstrument --strict nvcc -arch=sm_$architecture -fatbin square.cu -o all.fatbin
  [[ -s all.fatbin ]] || fail 'no fatbin'
  mkdir kept
  run 0 cuinstrument --strict nvcc -arch=sm_$architecture --keep --keep-dir kept -c square.cu
  grep -q recordWarp kept/square.ptx || fail 'kept PTX: not instrumented'
  [[ -s square.o ]] || fail 'no object'
  absent square.ptx
  temporary_files_gone
}

# The recorder is linked where that can be, and compiled elsewhere; either way every image has it.
how_square_has_the_recorder() {
  run 0 cuinstrument --strict --verbose "$@"
  [[ $(grep -c 'square.cu.* -isystem' "$work/err") = 1 ]] || fail "not one compilation: $*"
  if grep -q DCUI_RECORDER_LINKED "$work/err"; then echo linked; else echo compiled; fi
}
is() {
  [[ $(how_square_has_the_recorder "${@:2}") = "$1" ]] || fail "not $1: ${*:2}"
}
case_nvcc_links_the_recorder() {
  need_nvcc
  cp "$SOURCE"/examples/integration-launcher/square.cu .
  is linked nvcc -arch=sm_90 -c square.cu
  is linked nvcc -arch=sm_90 -DCUI_COMPACT_SITES=1 -c square.cu
  is compiled --recorder=compiled nvcc -arch=sm_90 -c square.cu
  is linked --mode=trace nvcc -arch=sm_90 -c square.cu
  is linked --mode=profile nvcc -arch=sm_90 -c square.cu
  is linked --mode=trace nvcc -arch=sm_90 -dc square.cu
  is linked nvcc -c square.cu
  is linked nvcc -gencode arch=compute_75,code=[sm_75,sm_90,compute_75] -gencode arch=compute_90,code=sm_90 -lineinfo -c square.cu
  is linked nvcc -arch=sm_90 -dc square.cu
  is linked nvcc -arch=sm_75 -dw square.cu
  is linked nvcc -rdc=true -c square.cu
  is linked nvcc -rdc=false -c square.cu
  is linked nvcc -rdc=true -gencode arch=compute_75,code=[sm_75,sm_80,compute_75] -gencode arch=compute_90,code=sm_90 -lineinfo -c square.cu
  is compiled nvcc -rdc=true -gencode arch=compute_90,code=lto_90 -c square.cu
  is compiled nvcc -dc -gencode arch=compute_90,code=[sm_90,sm_100] square.cu
  is compiled nvcc -dc -arch=sm_120a square.cu
  is linked nvcc -arch=sm_120 -c square.cu
  is linked nvcc -arch=compute_120 -dc square.cu
  is compiled nvcc -arch=sm_90 -ptx square.cu
  is linked nvcc -arch=sm_90 -maxrregcount=32 -c square.cu
  is compiled nvcc -arch=sm_90 -G -c square.cu
  # A script that only runs nvcc is nvcc; what another adds is kept.
  local nvcc=$(nvcc --dryrun -c square.cu 2>&1 | sed -n 's/^#$ _HERE_=//p')/nvcc
  mkdir plain adding
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$nvcc" >plain/nvcc
  printf '#!/bin/sh\nexec "%s" -DADDED "$@"\n' "$nvcc" >adding/nvcc
  chmod +x {plain,adding}/nvcc
  is linked "$PWD/plain/nvcc" -arch=sm_90 -c square.cu
  is compiled "$PWD/adding/nvcc" -arch=sm_90 -c square.cu
  # PTX is for GPUs that do not have code: it is complete. (That of both modes is joined likewise, and takes ptxas
  # three times as long; case_nvcc_relocatable_registers has it compiled.)
  run 0 cuinstrument --strict --mode=trace nvcc -arch=compute_90 --keep -c square.cu
  run 0 ptxas -arch=sm_90 square.ptx -o square.cubin
  # Functions that are not inlined: a library's, and the program's that call it, also with more registers than a
  # kernel may have.
  cat >apart.cu <<'END'
__device__ __noinline__ float half(const float* a) { return a[threadIdx.x] / 2; }
__device__ __noinline__ float quarter(const float* a, int n) {
  float kept[96], sum = 0;
#pragma unroll
  for (int i = 0; i < 96; ++i) kept[i] = a[i * n];
#pragma unroll
  for (int i = 0; i < 96; ++i) sum += kept[i] * half(a + i) * kept[95 - i];
  return sum;
}
__global__ void halve(float* a) { a[threadIdx.x] = half(a); }
__global__ void __launch_bounds__(1024) divide(float* a, int n) { a[threadIdx.x] = quarter(a, n); }
__global__ void turn(double* a) { a[threadIdx.x] = sin(a[threadIdx.x]); }
END
  cp apart.cu square.cu
  is linked nvcc -arch=sm_90 -c square.cu
  run 0 cuinstrument --strict nvcc -arch=sm_90 -c apart.cu
  [[ ! -s $work/err ]] || fail 'a message that nvcc does not have'
  nm apart.o | grep -qE 'cuiRegisterUnit|cuiCudaLinkUnit' || fail 'apart.o is not instrumented'
  # By the calling convention where the program's own calls are through pointers.
  cat >square.cu <<'END'
__device__ float first(const float* a) { return a[0]; }
__device__ float second(const float* a) { return a[1]; }
__device__ float (*which[])(const float*) = {first, second};
__global__ void chosen(float* a, int n) { a[threadIdx.x] = which[n](a); }
END
  is linked nvcc -arch=sm_90 -c square.cu
  # For kernels with fewer registers, one that has as few.
  echo '__global__ void __launch_bounds__(1024, 2) square(float* a) { a[threadIdx.x] *= 2; }' >square.cu
  is linked nvcc -arch=sm_90 -c square.cu
  # Also where a call has many parameters.
  cat >square.cu <<'END'
__global__ void __launch_bounds__(256, 8) add(const float* a, const float* b, float* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}
END
  is linked nvcc -arch=sm_90 -c square.cu
  # Nothing in it lets lanes go on alone.
  local toolchain=$(grep -oE '/[^ ]*/nvcc .*DCUI_RECORDER_LINKED' "$work/err" | sed 's|/nvcc .*||')
  run 0 python3 "$SOURCE/tests/gpu/no_yield.py" --linked "$toolchain"/recorder.sm_{75,90}.*cubin
  # Stacks of unknown size have it compiled.
  cat >deep.cu <<'END'
__device__ int depth(const int* a, int n) { return n <= 0 ? a[0] : a[n] + depth(a, n - 2) * depth(a, n - 1); }
__global__ void deep(int* a) { a[threadIdx.x] = depth(a, a[0]); }
END
  run 0 cuinstrument --strict nvcc -arch=sm_90 -c deep.cu
  [[ ! -s $work/err ]] || fail 'a message that nvcc does not have'
  nm deep.o | grep -qE 'cuiRegisterUnit|cuiCudaLinkUnit' || fail 'deep.o is not instrumented'
  # Nor of variables that begin below zero, where loops are recorded in front of them.
  cat >below.cu <<'END'
template <int Radius>
__global__ void below(const float* a, float* out, int n) {
  __shared__ float row[128];
  row[threadIdx.x] = a[threadIdx.x];
  float sum = 0;
  for (int j = -Radius; j <= Radius; j++) sum += row[threadIdx.x + n * 32 + j];
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int j = -Radius; j <= Radius; j++) sum += row[threadIdx.x + i * 32 + j];
  out[threadIdx.x] = sum;
}
template __global__ void below<1>(const float*, float*, int);
END
  run 0 cuinstrument --strict nvcc -arch=sm_90 -c below.cu
  [[ ! -s $work/err ]] || fail 'a warning that nvcc does not have'
  # That is said where linking was asked for.
  run 0 cuinstrument --recorder=linked nvcc -arch=sm_90 -c deep.cu
  [[ $(cat "$work/err") = "cuinstrument: warning: the recorder is compiled in deep.cu, not linked: nvlink "*"Stack size for entry function '_Z4deepPi'"*'(functions call themselves); --recorder=compiled '* ]] ||
    fail 'nothing said of a recorder that is not linked'
  rm deep.o
  run 1 cuinstrument --recorder=linked --strict nvcc -arch=sm_90 -c deep.cu
  err_has "cuinstrument: the recorder cannot be linked to deep.cu: nvlink "
  absent deep.o
  run 1 cuinstrument --recorder=linked --strict nvcc -arch=sm_90 -dc deep.cu
  err_has 'cuinstrument: the recorder cannot be linked to deep.cu: functions call themselves'
  run 0 cuinstrument --recorder=linked --strict nvcc -arch=sm_90 -c apart.cu
  [[ ! -s $work/err ]] || fail 'a message of a recorder that is linked'
  # Inline assembly of the toolkit's has braces at the beginnings of lines.
  printf '%s\n' '#include <cuda_fp16.h>' \
    '__global__ void scale(__half* a) { a[threadIdx.x] = a[threadIdx.x + 1] * a[0]; }' >half.cu
  for kind in -c -dc; do
    run 0 cuinstrument --recorder=linked --strict nvcc -arch=sm_90 $kind half.cu
    [[ ! -s $work/err ]] || fail 'a message of a recorder that is linked'
  done
  cp deep.cu square.cu
  is compiled nvcc -arch=sm_90 -dc square.cu
  temporary_files_gone
}

# Switched off, a program loads code without the recorder, which objects have beside the other.
case_nvcc_embeds_plain_code() {
  need_nvcc
  cp "$SOURCE"/examples/integration-launcher/square.cu .
  has_plain_code() {
    run 0 cuinstrument --strict "$@" -c square.cu -o square.o
    nm square.o | grep -q 'cuiPlainData$'
  }
  for line in 'nvcc -arch=sm_90' 'nvcc -O1 -maxrregcount=32 -lineinfo' 'nvcc -arch=compute_90' \
      'nvcc -gencode arch=compute_75,code=[sm_75,sm_90,compute_75] -gencode arch=compute_90,code=sm_90'; do
    has_plain_code $line || fail "none: $line"
  done
  for line in '--no-plain-code nvcc -arch=sm_90' '--recorder=compiled nvcc -arch=sm_90' 'nvcc -arch=sm_90 -rdc=true'; do
    has_plain_code $line && fail "has it: $line"
  done
  # It is what is loaded then: each set of images is there once, whatever the units are.
  cp "$SOURCE"/examples/vector_add/vector_add.cu "$SOURCE"/examples/common/example.h .
  sed -i 's|../common/||' vector_add.cu
  run 0 cuinstrument --strict nvcc -arch=sm_90 --keep vector_add.cu -o vector_add
  [[ $(grep -c 'cuiTakesPlainCode(.*) ?' vector_add.fatbin.c) = 1 ]] || fail 'the file does not choose'
  CUINSTRUMENT=off ./vector_add >out 2>&1
  (( $? < 128 )) || fail "ended by a signal: $(cat out)"
  temporary_files_gone
}

# Registers decide what can be launched: with the recorder a kernel has no more than lets 1,024 threads be launched, or those it needs by itself if these are
# more; without, those that nvcc gives it.
# What nvcc loads by ld.global.nc in the plain file is loaded so in the instrumented one, and nothing else is.
case_nvcc_read_only_loads() {
  need_nvcc
  cat >k.cu <<'END'
__global__ void blur(const float* __restrict__ in, float* __restrict__ out, float* shared, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - 1; i += gridDim.x * blockDim.x) {
    out[i] = in[i] + in[i + 1];
    shared[i] = shared[i + 1];
  }
}
END
  run 0 nvcc -arch=sm_$architecture -ptx k.cu -o plain.ptx
  grep -q 'ld.global.nc.f32' plain.ptx || fail 'nvcc does not either'
  run 0 cuinstrument nvcc -arch=sm_$architecture --keep -c k.cu -o k.o
  grep -q 'ld.global.nc.f32' k.ptx || fail 'no loads of read-only memory'
  grep -q 'ld.global.f32' k.ptx || fail 'other loads, too'
}

case_nvcc_registers() {
  need_nvcc
  cat >registers.cu <<'END'
__global__ void few(float* a) { a[threadIdx.x] *= 2; }
__global__ void many(float* a, int n) {
  float kept[96], sum = 0;
#pragma unroll
  for (int i = 0; i < 96; ++i) kept[i] = a[i * n];
#pragma unroll
  for (int i = 0; i < 96; ++i) sum += kept[i] * sqrtf(a[i]) * kept[95 - i];
  a[threadIdx.x] = sum;
}
END
  run 0 cuinstrument --strict --verbose nvcc -gencode arch=compute_90,code=sm_90 --keep -c registers.cu
  local toolchain=$(grep -oE '/[^ ]*/nvcc .*DCUI_RECORDER_LINKED' "$work/err" | sed 's|/nvcc .*||')
  mkdir plain
  CUINSTRUMENT_TOOLCHAIN=$toolchain CUINSTRUMENT_PLAIN_CODE=$PWD/plain "$toolchain/ptxas" -arch=sm_90 registers.ptx -o recorded.cubin || fail 'our ptxas'
  nvcc -arch=sm_90 -cubin registers.cu -o original.cubin
  registers() { python3 "$SOURCE/tests/integration/kernel_registers.py" "$1" | awk -v kernel="$2" '$1 ~ kernel && $1 !~ /[$]cui/ {print $2}'; }
  local kernel own
  for kernel in few many; do
    own=$(registers original.cubin $kernel)
    [[ $(registers plain/*.cubin $kernel) = "$own" ]] || fail "$kernel: $(registers plain/*.cubin $kernel) without the recorder, not $own"
    (( $(registers recorded.cubin $kernel) <= (own > 64 ? (own + 7) / 8 * 8 : 64) )) || fail "$kernel: $(registers recorded.cubin $kernel)"
  done
  (( own > 64 && $(registers recorded.cubin many) > 64 )) || fail 'the test is to have a kernel of more than 64'
}

# A function that is called through a pointer has no more registers than a kernel may have, and the recorder is linked all the same.
case_nvcc_functions_through_pointers() {
  need_nvcc
  cat >pointers.cu <<'END'
__device__ float many(const float* a, int n) {
  float kept[40], sum = 0;
#pragma unroll
  for (int i = 0; i < 40; ++i) kept[i] = a[(n + i * 7) & 1023];
  for (int turn = 0; turn < n; ++turn)
#pragma unroll
    for (int i = 0; i < 40; ++i) kept[i] += sum = sum * kept[i] + a[(turn + i) & 1023];
  return sum;
}
__device__ float few(const float* a, int n) { return a[n] * 2; }
__device__ float (*functions[])(const float*, int) = {many, few};
__global__ void apply(float* out, const float* a, int n, int which) {
  float (*function)(const float*, int) = functions[which];
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = function(a, i);
}
END
  run 0 cuinstrument --strict --recorder=linked --verbose nvcc -gencode arch=compute_90,code=sm_90 --keep -c pointers.cu
  grep -q 'regcount' "$work/err" && fail 'what is no error in the end is said'
  local toolchain=$(grep -oE '/[^ ]*/nvcc .*DCUI_RECORDER_LINKED' "$work/err" | sed 's|/nvcc .*||')
  sed '/entry _Z5apply/,/^{/ s/^{/.maxnreg 64\n{/' pointers.ptx >limited.ptx
  run 255 "$toolchain/toolkit/ptxas" -c -arch=sm_90 limited.ptx -o limited.cubin
  err_has 'max regcount of 64' # or the test is to have a function of more
}

# What a loop of several places asks in front of it takes nvcc as long as many calls.
case_nvcc_loops_among_many_sites() {
  need_nvcc
  cat >loop.cu <<'END'
__global__ void add(float* out, const float* a, const float* b, const float* c, const float* d, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a[i] + b[i] * c[i] + d[i];
}
END
  run 0 cuinstrument --strict nvcc -gencode arch=compute_90,code=sm_90 --keep -c loop.cu
  grep -q recordGatheredLoop loop.ptx || fail 'lanes are not asked for their places'
  run 0 cuinstrument --strict nvcc -gencode arch=compute_90,code=sm_90 -DCUI_COMPACT_SITES=1 --keep -c loop.cu
  grep -q recordGatheredLoop loop.ptx && fail 'lanes are asked for their places'
  grep -q recordLongLoop loop.ptx || fail 'the loop is not recorded in front of itself'
}

# There one call is made of those that follow each other, and what is asked in front of each is refused by cicc where bytes of a class are
# put together: that is compiled in another way.
case_nvcc_calls_in_a_row() {
  need_nvcc
  cat >row.cu <<'END'
__global__ void copy(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x + 64] = in[threadIdx.x + 32] * 2;
}
END
  cp "$SOURCE/tests/golden/dereference/bytes_of_class.cu" .
  run 0 cuinstrument --strict nvcc -arch=sm_90 -DCUI_COMPACT_SITES=1 -no-compress -c row.cu
  grep -aq 'cuiAccesses\$' row.o || fail 'no table of accesses in a row'
  run 0 cuinstrument --strict nvcc -arch=sm_90 -no-compress -c row.cu
  grep -aq 'cuiAccesses\$' row.o && fail 'a table of accesses of few sites'
  run 0 cuinstrument --strict nvcc -arch=sm_90 -DCUI_COMPACT_SITES=1 -c bytes_of_class.cu
}

# Relocatable code has it joined to each unit, and what the program's own link makes of them is one program, whoever links.
case_nvcc_relocatable_code() {
  need_nvcc
  cat >other.h <<'END'
extern __device__ float (*chosen[2])(const float*, int);
__device__ float other(const float*);
__global__ void few(int, float*);
__global__ void bounded(float*);
END
  cat >square.cu <<'END'
#include "other.h"
__global__ void square(float* a, int n) { a[threadIdx.x] = chosen[n & 1](a, n) * other(a); }
__global__ void start(float* a) { square<<<1, 32>>>(a, 1); }
int main() {
  start<<<1, 1>>>(nullptr);
  few<<<1, 32>>>(1, nullptr);
  bounded<<<1, 32>>>(nullptr);
}
END
  cat >other.cu <<'END'
#include "other.h"
__device__ float first(const float* a, int n) { return a[n]; }
__device__ float second(const float* a, int n) { return a[n + 1]; }
__device__ float (*chosen[2])(const float*, int) = {first, second};
__device__ float other(const float* a) { return a[0]; }
END
  # The recorder's functions keep to the registers of the kernel that has the fewest.
  cat >few.cu <<'END'
__global__ void __launch_bounds__(1024) few(int n, float* a) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] *= 2;
}
END
  echo '__global__ void __launch_bounds__(1024, 2) bounded(float* a) { a[threadIdx.x] *= 2; }' >bounded.cu
  local line="nvcc -arch=sm_$architecture" unit
  is linked $line -dc square.cu
  for unit in other few bounded; do
    run 0 cuinstrument --strict $line -dc $unit.cu
    [[ ! -s $work/err ]] || fail "a message that nvcc does not have: $unit"
    nm $unit.o | grep -qE 'cuiRegisterUnit|cuiCudaLinkUnit' || fail "$unit.o is not instrumented"
  done
  run 0 cuinstrument $line -rdc=true square.o other.o few.o bounded.o -o program
  [[ ! -s $work/err ]] || fail 'a message that nvcc does not have'
  run 0 cuinstrument $line -rdc=true few.o bounded.o other.o square.o -o program
  [[ ! -s $work/err ]] || fail 'a message that nvcc does not have'
  # In a library, with a device link that is not ours, beside a unit that has it compiled.
  run 0 nvcc -lib few.o other.o -o library.a
  run 0 cuinstrument --recorder=compiled $line -dc bounded.cu -o compiled.o
  for unit in bounded.o compiled.o; do
    run 0 nvcc -arch=sm_$architecture -dlink square.o $unit library.a -o link.o
    [[ ! -s $work/err ]] || fail 'a message that nvcc does not have'
    run 0 g++ square.o $unit link.o library.a $(cuinstrument flags --link) "$("$SOURCE/tests/gpu/nvcc_libraries.sh")" -lcudadevrt -lcudart_static -lrt -lpthread -ldl -o program
    CUINSTRUMENT=off ./program >out 2>&1
    (( $? < 128 )) || fail "ended by a signal: $(cat out)"
  done
  temporary_files_gone
}

# What the program's link makes of an object is what it would make of the unit's code and the recorder's, each by itself.
case_nvcc_relocatable_code_is_joined() {
  need_nvcc
  cat >joined.cu <<'END'
__constant__ float table[16];
static __constant__ int own[4];
__device__ int counter;
extern __shared__ float dynamic[];
__device__ __noinline__ float half(const float* a) { return a[threadIdx.x] / 2; }
__device__ float (*chosen[2])(const float*) = {half, half};
__global__ void __launch_bounds__(1024) square(float* a, int n) {
  __shared__ float tile[32];
  tile[threadIdx.x] = a[n] * table[n & 15] + own[n & 3];
  dynamic[threadIdx.x] = 2;
  __syncthreads();
  a[threadIdx.x] = chosen[n & 1](a) + half(a + 1) + tile[threadIdx.x ^ 1] + dynamic[n] + sinf(a[n]);
  atomicAdd(&counter, 1);
}
__global__ void __launch_bounds__(1024) start(float* a) { square<<<1, 32, 128>>>(a, 1); }
END
  # Textures ask for a higher class of instructions (.nv.compat) than the recorder.
  cat >fetched.cu <<'END'
__global__ void __launch_bounds__(1024) fetch(float* a, cudaTextureObject_t texels) { a[threadIdx.x] = tex2D<float>(texels, threadIdx.x, 1); }
END
  local built unit gpu libraries=$("$SOURCE/tests/gpu/nvcc_libraries.sh")
  for built in 'joined 75' 'joined 80' 'joined 90' 'joined 90 -lineinfo' 'fetched 90'; do
    read -r unit gpu <<<"$built"
    run 0 cuinstrument --strict --recorder=linked --verbose --keep-rewritten rewritten nvcc -arch=sm_$gpu -rdc=true -cubin $unit.cu -o joined.cubin
    local toolchain=$(grep -oE '/[^ ]*/nvcc .*DCUI_RECORDER_LINKED' "$work/err" | sed 's|/nvcc .*||')
    run 0 nvcc -arch=sm_$gpu -rdc=true -DCUI_RECORDER_LINKED -isystem "$toolchain/recorder" -cubin rewritten/0/$unit.cu -o unit.cubin
    gpu=${gpu% *}
    run 0 nvlink -arch=sm_$gpu "$libraries" -lcudadevrt unit.cubin "$toolchain/recorder.sm_$gpu.convention.64.cubin" -o apart.cubin
    run 0 nvlink -arch=sm_$gpu "$libraries" -lcudadevrt joined.cubin -o together.cubin
    python3 "$SOURCE/tests/integration/same_code.py" apart.cubin together.cubin >different 2>&1 || fail "sm_$gpu: $(cat different)"
  done
}

# Kernels have no more registers than 1,024 threads can have, nor a limit that functions of other objects must keep to.
case_nvcc_relocatable_registers() {
  need_nvcc
  cat >heavy.cu <<'END'
__device__ float heavy(const float* a, int n) {
  float kept[96], sum = 0;
#pragma unroll
  for (int i = 0; i < 96; ++i) kept[i] = a[i * n];
#pragma unroll
  for (int i = 0; i < 96; ++i) sum += kept[i] * sqrtf(a[i]) * kept[95 - i];
  return sum;
}
__device__ float light(const float* a, int n) { return a[n] + a[2 * n]; }
END
  cat >kernels.cu <<'END'
__device__ float heavy(const float*, int);
__device__ float light(const float*, int);
__global__ void few(float* a, int n) { a[threadIdx.x] = light(a, n) * a[n + threadIdx.x]; }
__global__ void calls(float* a, int n) { a[threadIdx.x] = heavy(a, n); }
__global__ void many(float* a, int n) {
  float kept[96], sum = 0;
#pragma unroll
  for (int i = 0; i < 96; ++i) kept[i] = a[i * n];
#pragma unroll
  for (int i = 0; i < 96; ++i) sum += kept[i] * sqrtf(a[i]) * kept[95 - i];
  a[threadIdx.x] = sum;
}
int main() {
  few<<<1, 32>>>(nullptr, 1);
  calls<<<1, 32>>>(nullptr, 1);
  many<<<1, 32>>>(nullptr, 1);
}
END
  local own unit kernel compiler used
  registers() { nvlink -arch=sm_$architecture -v kernels.o heavy.o -o linked.cubin 2>&1 | grep -A1 "properties for '_Z[0-9]$1" | grep -oE 'used [0-9]+ reg' | tr -dc '0-9'; }
  for compiler in nvcc 'cuinstrument --strict nvcc'; do
    for unit in heavy kernels; do run 0 $compiler -arch=sm_$architecture -dc $unit.cu; done
    [[ ! -s $work/err ]] || fail "a message: $compiler"
    run 0 $compiler -arch=sm_$architecture kernels.o heavy.o -o program
    for kernel in few 5calls many; do
      used=$(registers ${kernel#5})
      [[ $compiler = nvcc ]] && { own+=" $used"; continue; }
      set -- $own; own=${own#*"$1"}
      (( used <= ($1 > 64 ? ($1 + 7) / 8 * 8 : 64) )) || fail "${kernel#5}: $used registers, $1 without the recorder"
    done
  done
  # A driver that compiles the PTX goes by the same limit.
  run 0 cuinstrument --strict nvcc -arch=compute_$architecture -dc kernels.cu
  run 0 cuinstrument --strict nvcc -arch=compute_$architecture -dc heavy.cu
  used=$(registers few)
  (( used > 0 && used <= 64 )) || fail "few, from PTX: $used"
}

# Where a unit's constants and shared memory lie is decided when the program is linked, among those of other units.
case_nvcc_relocatable_code_is_placed_by_the_program() {
  need_nvcc
  cat >places.cu <<'END'
static __constant__ int table[4];
__global__ void kernel(int* p) {
  __shared__ int own[32];
  own[threadIdx.x] = table[threadIdx.x & 3];
  p[threadIdx.x] = own[threadIdx.x ^ 1];
}
END
  run 0 cuinstrument --strict nvcc -arch=sm_$architecture -rdc=true -cubin places.cu -o places.cubin
  readelf -rW places.cubin >relocations 2>/dev/null
  for name in table own unitState; do grep -q "$name" relocations || fail "has its place already: $name"; done
}

# What ptxas rejects is rejected, with its message and nvcc's exit code.
case_nvcc_ptxas_error() {
  need_nvcc
  printf '__global__ void k(int* p) {\n  p[0] = 1;\n  asm volatile("no_such_instruction;");\n}\n' >bad.cu
  nvcc -arch=sm_$architecture -c bad.cu >"$work/plain" 2>&1
  local plain=$?
  run $plain cuinstrument nvcc -arch=sm_$architecture -c bad.cu
  err_has no_such_instruction
  absent bad.o
  temporary_files_gone
}

# The message is nvcc's, about the user's file and line, and so is the exit code.
case_nvcc_diagnostics() {
  need_nvcc
  printf '__global__ void k(int* p) {\n  p[0] = undefined;\n}\n' >bad.cu
  nvcc -arch=sm_$architecture -c bad.cu >"$work/plain" 2>&1
  local plain=$?
  run $plain cuinstrument nvcc -arch=sm_$architecture -c bad.cu
  err_has 'bad.cu(2): error: identifier "undefined" is undefined'
  absent bad.o
  temporary_files_gone
}

case_cpu_diagnostics() {
  printf '__global__ void k(int* p) {\n  p[0] = undefined;\n}\nint main() {}\n' >bad.cu
  run 1 cuinstrument cpu bad.cu -o bad
  err_has 'bad.cu:2:'
  absent bad
  temporary_files_gone
}

main "$1"
