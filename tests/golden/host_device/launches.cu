// Launches and runtime calls in text that only the host's side has: where a condition asks for more than that,
// they have rows, as another architecture's code may have it.
// expect: CUI_LAUNCH(#, both<int> CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(1, 32)CUI_LAUNCH_CLOSE(>>>)(p));  // both<<<0, 0>>>
// expect: inner::scale<int, 4><<<2, 32>>>(p);
// expect: skipped, 0, 0, "", "scale", "", "", "", "", "", "text that only the host's side has"
// expect: skipped, 0, 0, "", "cudaFree", "", "", "", "", "", "text that only the host's side has"
// expect-not: skipped, 0, 0, "", "notThere"
// expect-not: skipped, 0, 0, "", "both"
// expect: CUI_LAUNCH(#, both<int> CUI_LAUNCH_OPEN(<<<)CUI_GRID(2), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(p));
// expect: CUI_ACCESS(#, p[3]) = 4;
template <class T>
__global__ void both(T* p) {
  p[threadIdx.x] = 3;
}
namespace inner {
template <class T, int n>
__global__ void scale(T* p) {
  p[threadIdx.x] *= n;
}
}  // namespace inner
template <class T>
__global__ void notThere(T* p) {
  p[0] = 0;
}
template <class T>
void launchOnHost(T* p, int n) {
#ifndef __CUDA_ARCH__
  if (n < 3) both<int><<<1, 32>>>(p);  // both<<<0, 0>>>
#if UNKNOWN
  notThere<T><<<1, 32>>>(p);
#endif
#endif
  both<int><<<2, 32>>>(p);
}
__host__ __device__ void eitherSide(int* p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 300
  p[3] = 4;
#else
  inner::scale<int, 4><<<2, 32>>>(p);
  cudaFree(p);
#endif
}
void hostTextMain(int* p) {
  launchOnHost(p, 3);
  eitherSide(p);
}
