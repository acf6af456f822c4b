// One pattern, an element in one instantiation and a value in another: the wrapper records the element and lets the
// value through.
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, c[i]);
// expect: load, generic, instrumented, 4, 0, "copy", "c[i]", "c", "i"
struct Doubled {
  const float* data;
  __device__ float operator[](int i) const { return 2 * data[i]; }
};
template <class C>
__global__ void copy(float* out, C c) {
  int i = threadIdx.x;
  out[i] = c[i];
}
void run(float* p) {
  copy<<<1, 32>>>(p, Doubled{p});
  copy<<<1, 32>>>(p, p);
}
