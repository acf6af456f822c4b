// One text stands for all instantiations: it is recorded together where that is right for each of them.
// expect: CUI_TOGETHER((#, a[i], #, b[i]), b[i] = a[i]);
// expect: CUI_ACCESS(#, b[i]) = CUI_ACCESS(#, a[i]) + CUI_ACCESS(#, b[i + 1]);
// expect: CUI_TOGETHER((#, data[k + N], #, data[k]), data[k] += data[k + N]);
struct Checked {
  float* data;
  __device__ float& operator[](int i) const { return data[i < 0 ? 0 : i]; }
};
template <class T>
__device__ void copy(const T* a, T* b, int i) { b[i] = a[i]; }
template <class A>
__device__ void add(A a, float* b, int i) { b[i] = a[i] + b[i + 1]; }
template <class T, int N>
struct Block {
  __device__ static void halve(T* data, int k) { data[k] += data[k + N]; }
};
__global__ void all(float* x, double* y, Checked c) {
  copy(x, x + 1, 0);
  copy(y, y + 1, 0);
  add(x, x + 1, 0);
  add(c, x + 1, 0);
  Block<float, 4>::halve(x, 1);
  Block<double, 8>::halve(y, 1);
}
