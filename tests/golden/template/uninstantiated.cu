// Nobody instantiates this template here, so it never runs in this unit: its accesses are said and left alone.
// expect: out[i] = in[i];
// expect: "its template is not instantiated in this unit"
template <class T>
__global__ void unused(T* out, const T* in) {
  int i = threadIdx.x;
  out[i] = in[i];
}
