// A class's operator[] only forms the address; what its caller does with the result is the access, and of which
// kind. The operator itself reads the pointer.
// expect: return CUI_ACCESS(#, data)[i];
// expect: CUI_ACCESS(#, v[i]) = CUI_ACCESS(#, w[i]);
// expect: store, generic, instrumented, 4, 0, "classOperator", "v[i]", "v", "i", "float"
template <class T>
struct View {
  T* data;
  __device__ T& operator[](int i) const { return data[i]; }
};
__global__ void classOperator(View<float> v, View<const float> w) {
  int i = threadIdx.x;
  v[i] = w[i];
}
