// Arrays in a template of which Clang sees no instance: what a cast, a sum or a call of another type is given is their address.
// expect: T* p = (T*)raw;
// expect: float(*rows)[sizeof(T)] = reinterpret_cast<float(*)[sizeof(T)]>(raw);
// expect: first(elements, t) + CUI_ACCESS(#, *(elements + t))
// expect: T* list{(T*)raw};
// expect-not: ACCESS(#, raw)
// expect-not: ACCESS(#, elements)
__device__ float first(const float* p, int n) { return p[n]; }
__device__ float first(const float* p, double) { return p[0]; }
template <class T>
__global__ void k(T t, T* out) {
  __shared__ float elements[4];
  extern __shared__ unsigned char raw[];
  T* p = (T*)raw;
  float(*rows)[sizeof(T)] = reinterpret_cast<float(*)[sizeof(T)]>(raw);
  out[0] = first(elements, t) + *(elements + t);
  T* list{(T*)raw};
  p[0] = rows[0][1] + list[1];
}
