#!/usr/bin/env bash
# Relocatable code in which the recorder is compiled, not joined: with -G, for architectures whose machine code
# nobody describes, with functions that call themselves, and where the line has a limit of registers. Each unit
# is instrumented in full, and plain nvcc links what they make: kernels with a limit call functions of others.
#   relocatable_forms.sh CUINSTRUMENT
set -euo pipefail
cuinstrument=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > heavy.cu <<'EOF'
__device__ float heavy(const float* p, int i) {
  float sum = 0;
  for (int j = 0; j < 64; ++j) sum += p[i + j] * p[i - j];
  return sum;
}
EOF
cat > calls.cu <<'EOF'
__device__ float heavy(const float* p, int i);
__global__ void usual(float* c, const float* a, const float* b) {
  const int i = threadIdx.x;
  for (int j = 0; j < i; ++j) c[j + i] += heavy(a, j) * b[j];
}
EOF
cat > few.cu <<'EOF'
__device__ float own(const float* p, int i) { return p[i] * p[i + 1] + p[i + 2] * p[i + 3]; }
__global__ void __launch_bounds__(256, 8) few(float* c, const float* a) {
  c[threadIdx.x] = own(a, 3) + own(a, 8);
}
EOF
cat > callsFew.cu <<'EOF'
__device__ float heavy(const float* p, int i);
__global__ void __launch_bounds__(256, 8) callsFew(float* c, const float* a) { c[threadIdx.x] = heavy(a, 3); }
EOF
cat > recursive.cu <<'EOF'
__device__ int sum(const int* p, int n) { return n < 2 ? p[n] : sum(p, n - 1) + sum(p, n - 2) * p[n]; }
__global__ void recursive(int* c) {
  for (int i = 0; i < 9; ++i) c[threadIdx.x + i] += sum(c, i);
}
EOF
forms() { # sources, flags
  local objects=() source
  for source in $1; do
    "$cuinstrument" --strict nvcc -std=c++17 -rdc=true $2 -c "$source.cu" -o "$source.o" 2> messages
    [ ! -s messages ] || { cat messages; echo "FAILED: a message about $source: $2"; exit 1; }
    objects+=("$source.o")
  done
  "${NVCC:-nvcc}" $2 -dlink "${objects[@]}" -o linked.o > messages 2>&1 || { cat messages; echo "FAILED: $1: $2"; exit 1; }
}
# shellcheck disable=SC2086
forms "heavy calls" "-arch=sm_90 -G"
forms "heavy callsFew" "-arch=sm_90 -G"
forms "heavy calls" "-arch=sm_100"
forms "few" "-arch=sm_100"
forms "heavy calls" "-arch=sm_100 -maxrregcount=128"
echo '-maxrregcount=32' > limit
forms "heavy calls" "-arch=sm_100 -optf $PWD/limit" # which stays: it is less than ours
forms "recursive" "-gencode=arch=compute_90,code=compute_90"
