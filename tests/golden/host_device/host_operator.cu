// In the device's text the operator is the device's alone, and a function of the host's has none to call there: Clang finds two of
// the language's, nvcc does not look (Eigen's half). Nothing is lost by that, and what is a thread's own is still told.
// cpu: no, there an error is one
// expect: "Clang rejects it: use of overloaded operator '-' is ambiguous
// expect: for (int i = 0; i < 4; ++i) own[i] = i;
// expect: = own[threadIdx.x % 4];
struct Half {
  float value;
  __host__ __device__ operator float() const { return value; }
  __host__ __device__ operator double() const { return value; }
};
#if defined(__CUDA_ARCH__)
__device__ inline Half operator-(const Half& a, const Half& b) { return {a.value - b.value}; }
#else
inline Half operator-(const Half& a, const Half& b) { return {a.value - b.value}; }
#endif
inline Half spread(const Half& a, const Half& b) { return a - b; }
__device__ void fill(float* own) {
  for (int i = 0; i < 4; ++i) own[i] = i;
}
__global__ void kernel(float* out) {
  float own[4];
  fill(own);
  out[threadIdx.x] = own[threadIdx.x % 4];
}
