// A kernel's template that a class has declared a friend without `__global__`, which nvcc takes for the kernel: Clang would
// make another function of it, and of what the kernel reads in the class an error. All is recorded.
// expect-not: Clang rejects
// expect: CUI_ACCESS(#, out[threadIdx.x]) = CUI_ACCESS(#, from->hidden);
// expect: CUI_ACCESS(#, out[1]) = CUI_ACCESS(#, from->values[1]) + from->second();
template <class T>
__global__ void show(const T* from, int* out);
template <class T>
class Secret {
  int hidden = 3;
  int values[4];
  __device__ int second() const { return values[2]; }
  template <class U>
  friend void show(const U*, int*);
};
template <class T>
__global__ void show(const T* from, int* out) {
  out[threadIdx.x] = from->hidden;
  out[1] = from->values[1] + from->second();
}
void launch(const Secret<int>* s, int* out) {
  show<<<1, 1>>>(s, out);
}
