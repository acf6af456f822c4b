// A dependent pattern is instrumented once, through its instantiations; the table names them.
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, in[i]) * f;
// expect: "T=float | T=double"
// expect: "T", "",
template <typename T>
__global__ void scale(T* out, const T* in, T f) {
  int i = threadIdx.x;
  out[i] = in[i] * f;
}
void run(float* f, double* d) {
  scale<<<1, 32>>>(f, f, 2.0f);
  scale<double><<<1, 32>>>(d, d, 2.0);
}
