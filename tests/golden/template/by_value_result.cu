// A class operator[] that returns a value: a wrapper cannot bind it, so the subscript stays as it is in that
// instantiation's pattern.
// expect: = c[i];
struct Doubled {
  const float* data;
  __device__ float operator[](int i) const { return 2 * data[i]; }
};
template <class C>
__global__ void copy(float* out, C c) {
  int i = threadIdx.x;
  out[i] = c[i];
}
void run(float* p) { copy<<<1, 32>>>(p, Doubled{p}); }
