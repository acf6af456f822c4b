# What becomes of code that nvcc accepts and Clang does not: the real rewriter, with the toolkit's headers.
. "$SOURCE/tests/cli/lib.sh"
command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || { echo 'no CUDA toolkit here'; exit 77; }

rewrite() { run "$1" "$CUINSTRUMENT" rewrite --emit-metadata sites.json -o out.cu "${@:2}"; }
# site LINE TEXT: the row of an access with that text on that line: "instrumented" or its reason.
site() {
  python3 - "$1" "$2" <<'END'
import json, sys
rows = [s for s in json.load(open("sites.json"))["sites"]
        if s["line"] == int(sys.argv[1]) and s["expression"] == sys.argv[2]]
print("; ".join(s["reason"] or s["status"] for s in rows) or "no row")
END
}
expect() { [[ $(site "$1" "$2") == $3 ]] || fail "line $1, $2: $(site "$1" "$2") instead of $3"; }

# An error of meaning costs the innermost statement.
case_statement() {
  printf '%s\n' '#include <cuda_fp16.h>' \
    '__global__ void k(half* h, int* p) {' \
    '  half r; p[0] = 1;' \
    '  for (int i = 0; i < 2; ++i) {' \
    '    r = {};' \
    '    p[i] = 2;' \
    '  }' \
    '  h[p[3]] = r;' \
    '}' >a.cu
  rewrite 0 a.cu
  err_has "a.cu:5:7: warning: a statement of 'k' is not instrumented, because Clang rejects it: use of overloaded"
  err_lines 1
  expect 5 'r = {};' 'Clang rejects it: use of overloaded*'
  expect 3 'p[0]' instrumented
  expect 6 'p[i]' instrumented
  expect 8 'p[3]' instrumented
  expect 8 'h[p[3]]' instrumented
  rewrite 1 --refuse-errors a.cu
  err_has "a.cu:5:7: error: use of overloaded operator '='"
}

# After an error of syntax, what follows may be misunderstood: the function is left alone, others are not.
case_function() {
  printf '%s\n' '__device__ void store(int* p, int v) {' \
    '  asm volatile("st.global.s32 [%0], %1;" ::"l"(p), "r" v);' \
    '  p[1] = v;' \
    '}' \
    '__global__ void k(int* p) { store(p, p[7]); }' >a.cu
  rewrite 0 a.cu
  err_has "a.cu:2:56: warning: function 'store' is not instrumented, because Clang rejects it: expected '('"
  expect 3 'p[1]' 'Clang rejects its function: *'
  expect 5 'p[7]' instrumented
  grep -qF 'p[1] = v;' out.cu || fail 'an edit in the function that is left alone'
}

# A macro that is used in such a statement, too, stays as it is.
case_macro() {
  printf '%s\n' '#include <cuda_fp16.h>' \
    '#define AT(p, i) p[i]' \
    '#define ONCE(p) p[5]' \
    '__global__ void k(half* h, int* p) {' \
    '  half r;' \
    '  while (ONCE(p)) AT(p, 1) = 3, r = {};' \
    '  AT(p, 2) = p[6];' \
    '}' >a.cu
  rewrite 0 a.cu
  expect 6 'ONCE(p)' instrumented
  expect 7 'AT(p, 2)' instrumented
  expect 7 'p[6]' instrumented
  grep -qxF '#define AT(p, i) p[i]' out.cu || fail 'the macro was edited'
}

case_lambda() {
  printf '%s\n' 'template <class F> __global__ void run(F f) { f(); }' \
    'int main() {' \
    '  int* p;' \
    '  cudaMalloc(&p, 8);' \
    '  run<<<1, 1>>>([p] __device__() { p[0] = undeclared; });' \
    '}' >a.cu
  rewrite 0 a.cu -- --extended-lambda
  err_has "function 'main::lambda' is not instrumented, because Clang rejects it: use of undeclared identifier"
  grep -q 'CUI_API(0, cudaMalloc)' out.cu || fail 'what is outside the lambda is left alone'
}

# A system header that is wrong by itself, as Boost's MPL before 1.81 is to Clang from 20 on: neighbours of a value, in
# the type of the value. Nothing of the user's is left out, and nothing is said.
case_system_header() {
  mkdir library
  printf '%s\n' '#pragma once' \
    'enum Small { none, one };' \
    'template <Small N> struct Value {' \
    '  static const Small before = static_cast<Small>(N - 1), behind = static_cast<Small>(N + 1);' \
    '  typedef Value<before> Before;' \
    '};' \
    'template struct Value<none>;' >library/values.h
  printf '%s\n' '#include <values.h>' \
    '__global__ void k(int* p) {' \
    '  p[0] = p[1];' \
    '}' >a.cu
  rewrite 0 a.cu -- -isystem library
  err_lines 0
  expect 3 'p[0]' instrumented
  expect 3 'p[1]' instrumented
}

# The user's text is named where it leads to an error in a library.
case_error_in_library_code() {
  printf '%s\n' '#include <cuda/std/tuple>' \
    '__device__ int f(int* p) {' \
    '  cuda::std::tuple<int> t(p[0]);' \
    '  p[1] = cuda::std::get<3>(t);' \
    '  return p[2];' \
    '}' >a.cu
  rewrite 0 a.cu
  expect 3 'p[0]' instrumented
  expect 4 'p[1]' 'Clang rejects its statement: *'
  expect 5 'p[2]' instrumented
}

# Of host code with nothing to instrument, the row is enough.
case_host_code() {
  printf '%s\n' 'int f(int x) {' \
    '  x += undeclared;' \
    '  return x;' \
    '}' \
    'void g(int* p) {' \
    '  cudaMalloc(&p, undeclared);' \
    '}' >a.cu
  rewrite 0 a.cu
  err_has "a.cu:6:18: warning: a statement of 'g' is not instrumented, because Clang rejects it: use of undeclared"
  err_lines 1
  expect 2 'x += undeclared;' 'Clang rejects it: use of undeclared*'
}

case_file_scope() {
  printf '%s\n' 'struct S { unknown_type x; };' \
    '__global__ void k(int* p) { p[0] = 1; }' >a.cu
  rewrite 0 a.cu
  err_has "a.cu:1:12: warning: this is not instrumented, because Clang rejects it: unknown type name 'unknown_type'"
  expect 1 'struct S { unknown_type x; };' "Clang rejects it: unknown type name 'unknown_type'"
  expect 2 'p[0]' instrumented
}

# What is left of such a function is a variable whose type nobody can deduce.
case_undeduced_type() {
  printf '%s\n' 'template <class C>' \
    '__host__ __device__ auto broken(; const& c, float const* p) { return c * p[0]; }' \
    '__global__ void k(int* p) { p[0] = 1; }' >a.cu
  rewrite 0 a.cu
  err_has 'is not instrumented, because Clang rejects it'
}

# Behind a header that is not there nothing is parsed at all.
case_missing_header() {
  printf '#include "absent.h"\n__global__ void k(int* p) { p[0] = 1; }\n' >a.cu
  rewrite 1 a.cu
  err_has "a.cu:1:10: fatal error: 'absent.h' file not found"
  absent out.cu sites.json
}

# The CPU backend has no nvcc to ask.
case_cpu_backend_refuses() {
  printf '__device__ void f(int* p) { p[0] = undeclared; }\n' >a.cu
  rewrite 1 --backend cpu a.cu
  err_has "a.cu:1:36: error: use of undeclared identifier 'undeclared'"
  absent out.cu
}

# Thrust is not ours to bring; where it is, is said by the program's line.
case_missing_library() {
  printf '#include <thrust/absent.h>\n__device__ void f(int* p) { p[0] = 1; }\n' >a.cu
  rewrite 1 --backend cpu a.cu
  err_has "a.cu:1:10: fatal error: 'thrust/absent.h' file not found"
  err_has "that header comes with a CUDA toolkit: add its folder, as -I/usr/local/cuda/include"
  absent out.cu
}

# What `cuinstrument nvcc` asks for after nvcc refused a line's instrumented form.
case_leave() {
  printf '%s\n' '__device__ int f(int* p) {' \
    '  return p[0];' \
    '}' \
    '__device__ int g(int* p) { return p[1]; } __device__ int h(int* p) { return p[2]; }' \
    '__device__ int i(int* p) { return p[3]; }' >a.cu
  rewrite 0 --leave a.cu:2 --leave a.cu:4 --leave other.h:5 --leave a.cu:99 a.cu
  expect 2 'p[0]' "nvcc rejects its function's instrumented form"
  expect 4 'p[1]' "nvcc rejects its function's instrumented form"
  expect 4 'p[2]' "nvcc rejects its function's instrumented form"
  expect 5 'p[3]' instrumented
}

# At first only for the lines.
case_leave_line() {
  printf '%s\n' '__global__ void k(int* p, int* q) {' \
    '  p[0] = q[0];' \
    '  p[1] = q[1];' \
    '}' >a.cu
  rewrite 0 --leave-line a.cu:2 a.cu
  expect 2 'p[0]' "nvcc rejects its line's instrumented form"
  expect 2 'q[0]' "nvcc rejects its line's instrumented form"
  expect 3 'p[1]' instrumented
  grep -qF 'k(int* p, int* q) { CUI_KERNEL(0);' out.cu || fail 'no entry mark in the kernel'
}

# A kernel that is left alone says that it runs: functions that it calls may record. Not where its first line is to blame.
case_leave_kernel() {
  printf '%s\n' '__device__ int f(int* p) { return p[0]; }' \
    '__global__ void k(int* p) {' \
    '  p[1] = f(p);' \
    '}' >a.cu
  rewrite 0 --leave a.cu:3 a.cu
  expect 3 'p[1]' "nvcc rejects its function's instrumented form"
  expect 1 'p[0]' instrumented
  grep -qF 'k(int* p) { CUI_KERNEL(0);' out.cu || fail 'no entry mark in the kernel'
  rewrite 0 --leave a.cu:2 a.cu
  expect 3 'p[1]' "nvcc rejects its function's instrumented form"
  ! grep -qF 'CUI_KERNEL(0)' out.cu || fail 'an entry mark where nvcc may have refused it'
}

# What is wrong in a template that nothing instantiates has its row, and is not worth a word.
case_never_instantiated() {
  printf '%s\n' 'template <class T> struct S {' \
    '  __device__ void set(T* p) { this->nothing[0] = p[1]; p[2] = 1; }' \
    '};' \
    '__global__ void k(int* p) { S<int> s; p[0] = sizeof(s); }' >a.cu
  rewrite 0 a.cu
  err_lines 0
  expect 2 'p[2]' instrumented
  grep -qF 'Clang rejects it: no member named' sites.json || fail 'no row'
}

# Words that nvcc does without are none of these errors, and so they are not where errors are refused; what is wrong beside them is printed.
case_refused_beside_missing_words() {
  printf '%s\n' 'template <class T> struct Plus { using Type = T; };' \
    'template <class S> __global__ void k(int* p) { p[0] = S::Type(p[1]); }' \
    'void run(int* p) { k<Plus<int>><<<1, 1>>>(p); }' >a.cu
  rewrite 0 --refuse-errors a.cu
  err_lines 0
  expect 2 'p[1]' instrumented
  printf 'int f() { return undeclared; }\n' >>a.cu
  rewrite 1 --refuse-errors a.cu
  err_has "a.cu:4:18: error: use of undeclared identifier 'undeclared'"
  printf '__global__ void k(int* p) { p[0] = {}; p[1] = * {1}; }\n' >a.cu
  rewrite 1 --refuse-errors a.cu
  err_has 'error: expected expression'
}

# On the CPU backend another compiler judges host code, library code and templates that nothing instantiates; a kernel has to be understood.
case_cpu_backend() {
  mkdir library
  printf '%s\n' '#pragma GCC system_header' \
    'template <class T> struct Argument { static T of(T x) { using ::arg; return arg(x); } };' \
    'struct Half { operator float() const; };' \
    'inline float mean(Half a) { return a.typo; }' >library/library.h
  printf '%s\n' '#include <library.h>' \
    'template <class T> struct Unused { int f() { return missing(1); } };' \
    '__global__ void k(int* p) { p[0] = 1; }' \
    'int main() { k<<<1, 1>>>(nullptr); }' >a.cu
  rewrite 0 --backend cpu a.cu -- -isystem library
  err_lines 0
  expect 3 'p[0]' instrumented
  expect 2 'template <class T> struct Unused { int f() { return missing(1); } };' 'Clang rejects it: *'
  rewrite 1 --backend cpu --refuse-errors a.cu -- -isystem library
  echo '__global__ void wrong(int* p) { p[0] = q; }' >>a.cu
  rewrite 1 --backend cpu a.cu -- -isystem library
  err_has "a.cu:5:40: error: use of undeclared identifier 'q'"
  err_lines 1
  printf '%s\n' '#include <cublas_v2.h>' 'int main() { cublasHandle_t handle; }' >a.cu
  rewrite 1 --backend cpu a.cu
  err_has 'cuBLAS) is not supported on the CPU backend'
  printf '%s\n' '__global__ void k(int* p) {' '  p[0] = q;' '}' >a.cu
  rewrite 1 --backend cpu a.cu
  err_has "a.cu:2:10: error: use of undeclared identifier 'q'"
  printf '%s\n' '__global__ void k(int* p) { p[0] = 1; }' 'int main() {' '  k<<<1, 1>>>(nullptr), q;' '}' >a.cu
  rewrite 1 --backend cpu a.cu
  err_has "a.cu:3:25: error: use of undeclared identifier 'q'"
}

# What only another architecture of the line has is read as well; its errors count as the last one's do.
two='-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90'
case_other_architecture() {
  printf '%s\n' '__global__ void k(int* p) {' \
    '#if __CUDA_ARCH__ < 900' \
    '  p[0] = undeclared;' \
    '  p[1] = 1;' \
    '#else' \
    '  p[2] = 2;' \
    '#endif' \
    '}' >a.cu
  rewrite 0 a.cu -- $two
  err_has "a.cu:3:10: warning: function 'k' is not instrumented, because Clang rejects it: use of undeclared"
  err_lines 1
  expect 3 'p[0] = undeclared;' 'Clang rejects it: *'
  expect 4 'p[1]' 'Clang rejects its function: *'
  expect 6 'p[2]' instrumented
  # Two of them have it, and it is said once.
  rewrite 0 a.cu -- -gencode arch=compute_75,code=sm_75 $two
  err_lines 1
  rm out.cu
  rewrite 1 --refuse-errors a.cu -- $two
  err_has "a.cu:3:10: error: use of undeclared identifier 'undeclared'"
  absent out.cu
  rewrite 0 --refuse-errors a.cu -- -arch=sm_90
  err_lines 0
}

# A header that only its text includes and that is not there.
case_other_architectures_header() {
  printf '%s\n' '#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900' '#include "absent.h"' '#endif' \
    '__global__ void k(int* p) { p[0] = 1; }' >a.cu
  for option in --separate --refuse-errors; do
    rewrite 1 $option a.cu -- $two
    err_has "a.cu:2:10: fatal error: 'absent.h' file not found"
    absent out.cu
  done
}

# unreached REASON FLAG…: h.h is left alone for that reason, which is said once, and refused where errors are.
unreached() {
  local reason=$1
  shift
  rewrite 0 a.cu -- "$@"
  err_has "h.h: warning: this file is not instrumented: $reason"
  err_lines 1
  expect 1 'p[0]' "$reason"
  rm out.cu
  rewrite 1 --refuse-errors a.cu -- "$@"
  err_has "h.h: error: this file is not instrumented: $reason"
  absent out.cu
}
case_unreached_headers() {
  echo '__device__ inline int first(int* p) { return p[0] + p[1]; }' >h.h
  echo '__global__ void k(int* p) { p[2] = first(p); }' >a.cu
  unreached 'in a header that the command line includes (-include)' -include h.h
  echo '__device__ inline int second(int* p) { return p[3]; }' >other.h
  printf '%s\n' '#define STEP "h.h"' '#include "step.h"' '#undef STEP' '#define STEP "empty.h"' '#include "step.h"' \
    '__global__ void k(int* p) { p[2] = first(p); }' >a.cu
  echo '#include STEP' >step.h
  echo >empty.h
  unreached 'one of several files that an #include names by a macro' -I.
  # One without device code is nothing to speak of.
  echo 'static const int size = 1;' >h.h
  echo '__global__ void k(int* p) { p[2] = size; }' >a.cu
  rewrite 0 --refuse-errors a.cu -- -include h.h
  err_lines 0
}

main "$1"
