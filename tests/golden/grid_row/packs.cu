// What a pack is expanded in can neither be asked for nor be computed in front of the access: there are no
// rows of the grid behind it.
// standard: 17 20
// expect-not: if (i < (40 + ... + I)) CUI_BY_ROW
// expect-not: if (((i < n) && ...)) CUI_BY_ROW
// expect-not: if ((rows(i, n) || ...)) CUI_BY_ROW
// expect: = (CUI_ACCESS(#, p[i]) + ...);
__device__ bool rows(int i, int n) { return i < n; }
template <int... I>
__global__ void summed(float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + (I + ...);
  if (i < (40 + ... + I)) out[i] = 1;
}
template <class... N>
__global__ void inAll(float* out, N... n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (((i < n) && ...)) out[i] = 2;
}
template <class... N>
__global__ void inSome(float* out, N... n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((rows(i, n) || ...)) out[i] = 3;
}
template <class... P>
__global__ void each(float* out, P*... p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (p[i] + ...);
}
void run(float* x) {
  summed<3><<<2, 32>>>(x);
  summed<3, 4><<<2, 32>>>(x);
  inAll<<<2, 32>>>(x, 50);
  inSome<<<2, 32>>>(x, 50);
  each<<<2, 32>>>(x, x, x);
}
