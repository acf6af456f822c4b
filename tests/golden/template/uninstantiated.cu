// Nobody uses this template here: what its syntax shows is instrumented.
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, in[i]);
template <class T>
__global__ void unused(T* out, const T* in) {
  int i = threadIdx.x;
  out[i] = in[i];
}
