// Parameters that are `auto`, which nvcc takes before C++20, too, as GCC does.
// expect: __device__ void autoStored(int* p, auto value) { CUI_ACCESS(#, p[threadIdx.x]) = value; }
// expect: T autoTwice(T* p, auto i) { return CUI_ACCESS(#, p[i]) * 2; }
// expect: void autoLaunched(auto grid) { CUI_LAUNCH(#,
// expect-not: Clang rejects
__device__ void autoStored(int* p, auto value) { p[threadIdx.x] = value; }
template <class T>
__device__ T autoTwice(T* p, auto i) { return p[i] * 2; }
__global__ void autoKernel(int* p) {
  autoStored(p, 3);
  p[0] = autoTwice(p, 1);
}
void autoLaunched(auto grid) { autoKernel<<<grid, 1>>>(nullptr); }
void launchAuto() { autoLaunched(1); }
