// Packs: recursion over the arguments and a fold.
// standard: 17 20
// expect: CUI_ACCESS(#, out[0]) += first;
// expect: CUI_ACCESS(#, out[1]) = (CUI_ACCESS(#, p[0]) + ...);
__device__ void sum(float*) {}
template <class First, class... Rest>
__device__ void sum(float* out, First first, Rest... rest) {
  out[0] += first;
  sum(out, rest...);
}
template <class... P>
__device__ void fold(float* out, P*... p) {
  out[1] = (p[0] + ...);
}
__global__ void run(float* out, float* a, int* b) {
  sum(out, 1, 2.0f, 3u);
  fold(out, a, b);
}
