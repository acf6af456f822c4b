// GCC does not accept `alignas` behind what `__shared__` stands for: for the CPU backend the word is wrapped.
// rewrite: --backend=cpu
// nvcc: no, an attribute of GCC's is for the CPU backend
// expect: __shared__ CUI_ALIGNED(alignas)(16) float plain[4];
// expect: __shared__ CUI_ALIGNED(alignas)(N) float sized[4];
// expect: extern __shared__ CUI_ALIGNED(alignas)(1024) char dynamic[] CUI_DYNAMIC_SHARED;
// expect: extern __shared__ CUI_ALIGNED(alignas)(128) float4 inside[] CUI_DYNAMIC_SHARED;
// expect: #define TILE __shared__ CUI_ALIGNED(alignas)(32)
// expect: #define OUTER extern __shared__ CUI_ALIGNED(alignas)(64)
// expect: __shared__ CUI_ALIGNED_LIKE(alignas)(float4) char raw[16];
// expect: __shared__ CUI_ALIGNED_LIKE(alignas)(T) char held[sizeof(T)];
// expect: extern __shared__ CUI_ALIGNED_LIKE(alignas)(double) char asDouble[] CUI_DYNAMIC_SHARED;
// expect: extern __shared__ CUI_ALIGNED_LIKE(alignas)(T) char asArgument[] CUI_DYNAMIC_SHARED;
// expect: extern __shared__ CUI_ALIGNED_LIKE(alignas)(float4) char asVector[] CUI_DYNAMIC_SHARED;
// expect: extern __shared__ CUI_ALIGNED(alignas)(Sizes::bytes) char asConstant[] CUI_DYNAMIC_SHARED;
// expect: extern __shared__ CUI_ALIGNED(alignas)(sizeof(int)) char asSize[] CUI_DYNAMIC_SHARED;
// expect: alignas(16) float own = 2;
#define aligned 8  // a word of GCC's own attribute
#define TILE __shared__ alignas(32)
#define OUTER extern __shared__ alignas(64)
extern __shared__ alignas(1024) char dynamic[];

template <int N>
__device__ float sizedBy(float x) {
  __shared__ alignas(N) float sized[4];
  sized[threadIdx.x] = x;
  return sized[0];
}
template <class T>
__device__ char* heldBy() {
  __shared__ alignas(T) char held[sizeof(T)];
  return held;
}
struct Sizes {
  static constexpr int bytes = 32;
};
template <class T>
__device__ char ofDynamic() {
  extern __shared__ alignas(double) char asDouble[];
  extern __shared__ alignas(T) char asArgument[];
  extern __shared__ alignas(float4) char asVector[];
  extern __shared__ alignas(Sizes::bytes) char asConstant[];
  extern __shared__ alignas(sizeof(int)) char asSize[];
  return asDouble[0] + asArgument[0] + asVector[0] + asConstant[0] + asSize[0];
}
__global__ void alignments(float* out) {
  __shared__ alignas(16) float plain[4];
  TILE float fromMacro[4];
  extern __shared__ alignas(128) float4 inside[];
  OUTER float outer[];
  __shared__ alignas(float4) char raw[16];
  raw[threadIdx.x] = *heldBy<double>();
  alignas(16) float own = 2;
  fromMacro[threadIdx.x] = own;
  plain[threadIdx.x] = sizedBy<64>(inside[0].x);
  out[threadIdx.x] = plain[0] + fromMacro[1] + dynamic[0] + outer[1] + ofDynamic<float2>();
}
