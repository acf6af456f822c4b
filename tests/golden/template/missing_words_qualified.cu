// A member template of a dependent class without the word `template`, as nvcc takes it, and what is in the same function.
// cpu: no, GCC wants it
// expect: D::Layout::sync<N * D::k, 32>(values, rows);
// expect: CUI_ACCESS(#, out[0]) = CUI_ACCESS(#, rows[0][1]);
// expect-not: skipped
struct Plain {
  template <int N, int Width>
  static __device__ void sync(float* values, float (*rows)[N]) {
    rows[threadIdx.x / Width][0] = values[0];
  }
};
template <class T>
struct Details {
  using Layout = Plain;
  static constexpr int k = 4;
};
template <class T, int N>
__global__ void k(T* out, const T* in) {
  using D = Details<T>;
  extern __shared__ unsigned char raw[];
  float(*rows)[N * D::k] = reinterpret_cast<float(*)[N * D::k]>(raw);
  float values[N] = {in[0]};
  D::Layout::sync<N * D::k, 32>(values, rows);
  out[0] = rows[0][1];
}
void run(float* out) { k<float, 2><<<1, 32, 1024>>>(out, out + 1); }
