// What nvcc defines because of its flags, and what its own headers include, the rewriter sees, too.
// compile: --extended-lambda -rdc=true -G
// cpu: no, these are flags of nvcc's
// expect: CUI_ACCESS(#, p[0]) = 0;
// expect: CUI_ACCESS(#, p[1]) = 1;
// expect: CUI_ACCESS(#, p[2]) = 2;
// expect: CUI_ACCESS(#, p[3]) = 3;
// expect-not: CUI_ACCESS(#, p[4]) = 4;
// expect-not: CUI_ACCESS(#, p[5]) = 5;
// expect: CUI_ACCESS(#, p[6]) = f(onHost);
// expect: CUI_LAUNCH(#, storeByMacros
// expect-not: Clang rejects
#include <type_traits>
__global__ void storeByMacros(int* p) {
#ifdef __CUDACC_EXTENDED_LAMBDA__
  p[0] = 0;
#endif
#ifdef __CUDACC_RDC__
  p[1] = 1;
#endif
#ifdef __CUDACC_DEBUG__
  p[2] = 2;
#endif
#if __CUDA_API_VER_MAJOR__ >= 12
  p[3] = 3;
#endif
#ifdef __USE_FAST_MATH__
  p[4] = 4;
#endif
#ifdef CUDA_VERSION
  p[5] = 5;
#endif
}
#ifdef __CUDACC_EXTENDED_LAMBDA__
template <class F>
int sizeOfClosure(F, bool special = __nv_is_extended_device_lambda_closure_type(F)) { return special ? 0 : int(sizeof(F)); }
template <class F, class = void>
struct RunsOnHost {
  static constexpr bool value = true;
};
template <class F>
struct RunsOnHost<F, typename std::enable_if<__nv_is_extended_device_lambda_closure_type(F)>::type> {
  static constexpr bool value = false;
};
template <class F, bool onHost = RunsOnHost<F>::value>
__global__ void callInKernel(F f, int* p) {
  p[6] = f(onHost);
}
void launchClosure(int* p) {
  callInKernel<<<1, 1>>>([] __device__(int x) { return x; }, p);
}
#endif
long secondsWithoutAnInclude() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + clock() / CLOCKS_PER_SEC;
}
const char* compilersVersion() {
  storeByMacros<<<1, 1>>>(nullptr);
  return __CUDACC_VER__;
}
