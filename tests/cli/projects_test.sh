# scripts/projects.py on a project with a Makefile and one with CMake, which know nothing of cuinstrument.
. "$SOURCE/tests/cli/lib.sh"
command -v nvcc >/dev/null || { echo 'no nvcc here'; exit 77; }

projects() {
  run 0 python3 "$SOURCE/scripts/projects.py" --bin "$(dirname "$CUINSTRUMENT")" --results rows.jsonl "$@"
}
# row NAME EXPRESSION: a member of a project's row, in Python.
row() {
  python3 - "$@" <<'END'
import json, sys
rows = {row["project"]: row for row in map(json.loads, open("rows.jsonl"))}
print(eval(sys.argv[2], {"row": rows[sys.argv[1]]}))
END
}
is() { [[ $(row "$1" "$2") == "$3" ]] || fail "$1: $2 is $(row "$1" "$2") instead of $3"; }

# Its nvcc lines want a GPU that is no more; a C++ compiler links; what it prints is not the same twice.
case_make() {
  mkdir -p all/scale
  cat >all/scale/scale.cu <<'END'
__global__ void scale(float* a) { a[threadIdx.x] *= 2; }
float scaled() {
  float *a, b[32] = {1};
  cudaMalloc(&a, sizeof b);
  cudaMemcpy(a, b, sizeof b, cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(a);
  cudaMemcpy(b, a, sizeof b, cudaMemcpyDeviceToHost);
  return b[0];
}
END
  cat >all/scale/main.cpp <<'END'
#include <cstdio>
#include <unistd.h>
float scaled();
int main() { std::printf("process %d\nscaled %g\n", int(getpid()), scaled()); }
END
  printf '%s\n' 'NVCC = nvcc -O2 -std=c++11' 'scale: scale.o main.o' \
    $'\tg++ -o $@ $^ -L$(dir $(shell command -v nvcc))../lib64 -L/usr/local/cuda/lib64 -lcudart' \
    '%.o: %.cu' $'\t$(NVCC) -gencode arch=compute_35,code=sm_35 -c $< -o $@' >all/scale/Makefile
  projects all --arch sm_90 --run
  out_has '| all/scale | make | 1 | yes | yes | 1 | 0 |'
  for form in plain instrumented cpu; do is all/scale "row['$form']['built']" True; done
  is all/scale "row['programs']" "{'scale': 'same'}"
  [ "$(ls all/scale)" = $'Makefile\nmain.cpp\nscale.cu' ] || fail 'the project was built in its place'
  temporary_files_gone
  # It is there already; and of one that nvcc rejects, that is said.
  mkdir all/broken
  echo '__global__ void broken() { undefined(); }' >all/broken/broken.cu
  printf 'broken.o: broken.cu\n\t$(ROOT)/bin/nvcc -c $< -o $@\n' >all/broken/Makefile
  sed -i 's/-O2/-nonsense/' all/scale/Makefile
  projects all -- 'ROOT={toolkit}'
  out_has '| all/scale | make | 1 | yes | yes | 1 | 0 |'
  out_has '| all/broken | make | 1 | 0 of 1 lines | 0 of 1 lines'
  out_has 'identifier "undefined" is undefined'
}

case_cmake() {
  command -v cmake >/dev/null || { echo 'no CMake here'; exit 77; }
  mkdir two
  printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(two LANGUAGES CXX CUDA)' 'add_executable(two two.cu fixed.cpp)' \
    >two/CMakeLists.txt
  echo 'int fixed() { return 2; }' >two/fixed.cpp
  cat >two/two.cu <<'END'
#include <cstdio>
int fixed();
__global__ void two(int* a, int b, cudaTextureObject_t t) { a[threadIdx.x] = b + 0 * tex1Dfetch<int>(t, 0); }
int main() {
  int* a;
  cudaMallocManaged(&a, 128);
  two<<<1, 32>>>(a, fixed(), 0);
  cudaDeviceSynchronize();
  std::printf("%d\n", a[31]);
}
END
  projects two
  out_has '| two | CMake | 1 | yes | yes | 1 | 1 |'
  out_has '       1  a texture'
}

main "$1"
