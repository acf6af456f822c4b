// Attributes behind a lambda's specifiers, where GCC and nvcc have them and Clang wants the body: nothing of the function is
// left out.
// standard: 17 20
// expect: each([p](auto i) mutable __attribute__((always_inline)) { CUI_ACCESS(#, p[i]) += 1; });
// expect: each([p](auto i) constexpr INLINE { CUI_ACCESS(#, p[i + 2]) = 3; });
// expect-not: skipped
#define INLINE __attribute__((always_inline))
template <class F>
__host__ __device__ void each(F f) {
  f(0);
  f(1);
}
template <class T>
__global__ void lambdaAttributes(T* p) {
  each([p](auto i) mutable __attribute__((always_inline)) { p[i] += 1; });
  each([p](auto i) constexpr INLINE { p[i + 2] = 3; });
}
void run(float* p) { lambdaAttributes<<<1, 1>>>(p); }
