// A class's operator[] is a call: the builtin subscript inside it is the access.
// expect: return CUI_ACCESS(#, data[i]);
// expect: v[i] = w[i];
template <class T>
struct View {
  T* data;
  __device__ T& operator[](int i) const { return data[i]; }
};
__global__ void classOperator(View<float> v, View<const float> w) {
  int i = threadIdx.x;
  v[i] = w[i];
}
