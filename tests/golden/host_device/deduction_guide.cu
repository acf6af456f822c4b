// Deduction guides that only one side has are both sides' to nvcc.
// standard: 17 20
// expect: CUI_ACCESS(#, output[threadIdx.x]) = bundle.function(CUI_ACCESS(#, bundle.input[threadIdx.x]));
// expect: CUI_LAUNCH(#, run CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(Bundle{Twice{}, input}, output));
// expect: CUI_ACCESS(#, *pair.pointer) = 3;
// expect-not: Clang rejects
#define ONLY_HOST __host__
struct Twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};
template <class F, class T>
struct Bundle {
  template <class P>
  __host__ __device__ Bundle(F f, P* p) : function(f), input(p) {}
  F function;
  const T* input;
};
template <class F, class T>
ONLY_HOST Bundle(F const&, T*) -> Bundle<F, T>;
template <class T>
struct Pair {
  template <class P>
  __device__ explicit Pair(P* p) : pointer(p) {}
  T* pointer;
};
template <class T>
__device__ Pair(T*) -> Pair<T>;
template <class F, class T>
__global__ void run(Bundle<F, T> bundle, T* output) {
  output[threadIdx.x] = bundle.function(bundle.input[threadIdx.x]);
  Pair pair(output);
  *pair.pointer = 3;
}
void deductionGuideMain(float* input, float* output) {
  run<<<1, 32>>>(Bundle{Twice{}, input}, output);
}
