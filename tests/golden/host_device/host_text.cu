// Text that no device's code can have, though Clang never sees it: launches and runtime calls are followed, unless
// only a parser could tell what they are, or the condition asks for an architecture, too.
// expect: CUI_LAUNCH(#, inner::fill<T, 4> CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(dim3(2, 1), 32, 0, stream)CUI_LAUNCH_CLOSE(>>>)(p, n));
// expect: CUI_LAUNCH_ENTRY("inner::fill<T, 4>", "inner::fill", "onEither", #, #, #, 1)
// expect: if (n > 3) CUI_LAUNCH(#, plain CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(SIZES)CUI_LAUNCH_CLOSE(>>>)(p_));
// expect: CUI_LAUNCH_ENTRY("plain", "plain", "Buffer::Buffer", #, #, #, 0)
// expect: i < 1 ? CUI_LAUNCH(#, plain CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(i, 32)CUI_LAUNCH_CLOSE(>>>)(p_)) : CUI_LAUNCH(#, inner::fill<int, 2> CUI
// expect: CHECKED(CUI_API(#, cudaMalloc)(&p_, n * sizeof(int)));
// expect: report(CUI_TEXT(
// expect: CUI_CALL_ENTRY("cudaMalloc", "Buffer::Buffer", "p_", "", 0,
// expect: CUI_CALL_ENTRY("cudaFree", "Buffer::~Buffer", "p_", "", 0,
// expect: ::CUI_GLOBAL_API(#, cudaMemset)(p_, 0, 4)
// expect: skipped, 0, 0, "", "plain", "", "", "", "", "", "text that only the host's side has"
// expect: skipped, 0, 0, "", "inMacro", "", "", "", "", "", "text that only the host's side has"
// expect: skipped, 0, 0, "", "member", "", "", "", "", "", "text that only the host's side has"
// expect: skipped, 0, 0, "", "cudaDeviceSynchronize", "", "", "", "", "", "text that only the host's side has"
// expect: skipped, 0, 0, "", "cudaFreeHost", "", "", "", "", "", "text that only the host's side has"
// expect: skipped, 0, 0, "", "cudaMemcpy", "", "", "", "", "", "text that only the host's side has"
// expect: skipped, 0, 0, "", "cudaMallocHost", "", "", "", "", "", "text that only the host's side has"
// expect-not: CUI_API(#, cudaFreeHost)
// expect-not: CUI_API(#, cudaMemcpy)
#define SIZES 1, 32
void report(const char* what);
#define CHECKED(call)                      \
  do {                                     \
    if ((call) != cudaSuccess) {           \
      report(#call);                       \
    }                                      \
  } while (false)
namespace inner {
template <class T, int n>
__global__ void fill(T* p, int count) {
  p[threadIdx.x] = n * count;
}
}  // namespace inner
__global__ void plain(int* p) {
  p[threadIdx.x] = 2;
}
template <class T>
__host__ __device__ void onEither(T* p, int n, cudaStream_t stream) {
#ifdef __CUDA_ARCH__
  p[3] = n;
#else  // the host
  inner::fill<T, 4><<<dim3(2, 1), 32, 0, stream>>>(p, n);
#endif
}
inline cudaError_t cudaFreeHost(int* p, int) {
  return p ? cudaSuccess : cudaErrorInvalidValue;
}
class Buffer {
 public:
  __host__ __device__ explicit Buffer(int n) {
#if !defined(__CUDA_ARCH__)
    CHECKED(cudaMalloc(&p_, n * sizeof(int)));
    if (n > 3) plain<<<SIZES>>>(p_);
    ::cudaMemset(p_, 0, 4);
    plain<<<1, {32, 1, 1}>>>(p_);
    cudaFreeHost(p_, 3);
#define QUIET(call) report(#call), (void)(call)
    QUIET(cudaMemcpy(p_, p_, 4, cudaMemcpyDeviceToDevice));
#define LAUNCHES inMacro<<<1, 32>>>(p_)
#endif
  }
  __host__ __device__ ~Buffer() {
#if !(__CUDA_ARCH__)  // nor here
    cudaFree(p_);
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 300
    cudaDeviceSynchronize();
#endif
  }
  void (*member)(int*) = plain;
  void start() {
#ifndef __CUDA_ARCH__
    this->member<<<1, 32>>>(p_);
    for (int i = 0; i < 2; ++i) i < 1 ? plain<<<i, 32>>>(p_) : inner::fill<int, 2><<<i, 64>>>(p_, 1);
    auto* function = &cudaMallocHost<int>;
    (void)function;
#endif
  }
  int* p_ = nullptr;
};
void hostTextOnly(int* p) {
  onEither(p, 3, nullptr);
  Buffer buffer(4);
}
