// Member functions of class templates, out-of-line ones, nested classes, partial specialisations.
// expect: return CUI_ACCESS(#, CUI_ACCESS(#, data)[i]);
// expect: CUI_ACCESS(#, CUI_ACCESS(#, data)[i]) = x;
// expect: CUI_ACCESS(#, *p) = 0;
template <class T, int N>
struct Buffer {
  T* data;
  __device__ T get(int i) const { return data[i]; }
  __device__ void set(int i, T x);
  struct Cleaner {
    __device__ static void clean(T* p) { *p = 0; }
  };
};
template <class T, int N>
__device__ void Buffer<T, N>::set(int i, T x) {
  data[i] = x;
}
template <class T>
struct Buffer<T*, 1> {
  T* only;
  __device__ T get() const { return *only; }
};
__global__ void run(Buffer<int, 4>* b, Buffer<int*, 1> one) {
  b->set(0, b->get(1));
  Buffer<int, 4>::Cleaner::clean(b->data);
  b->set(2, one.get());
}
