// Functions of the device's that call the host's, which nvcc takes where it makes no code of the former. Clang found no such
// function, and lost the statement.
// expect: CUI_ACCESS(#, p[0]) = CUI_ACCESS(#, sizes[1]);
// expect: cudaMemsetAsync(p, 0, CUI_ACCESS(#, sizes[0]));
// expect: { return onHost(CUI_ACCESS(#, CUI_ACCESS(#, values)[i])); }
// expect: CUI_ACCESS(#, CUI_ACCESS(#, values)[1]) = onHost(CUI_ACCESS(#, CUI_ACCESS(#, values)[2]));
// expect: inline int Stack::later(int i) { CUI_ACCESS(#, CUI_ACCESS(#, values)[1]) = onHost(CUI_ACCESS(#, CUI_ACCESS(#, values)[i])); return CUI_ACCESS(#, CUI_ACCESS(#, values)[2]); }
// expect: { T* q = p + onHost(CUI_ACCESS(#, p[1])); cudaDeviceSynchronize(); CUI_ACCESS(#, p[0]) = 1; return q; }
// expect: { OfHost o(CUI_ACCESS(#, p[0])); return o.at(CUI_ACCESS(#, p[1])) + o; }
// expect: { onHost(CUI_MACRO_ACCESS(#, p[5])); }
// expect: [&](int i) { return onHost(CUI_ACCESS(#, p[i])); };
// expect-not: Clang rejects
int onHost(int i);
struct OfHost {
  OfHost(int i);
  int at(int i) const;
  operator int() const;
  int x;
};
inline __device__ void cleared(int* p, const int* sizes) {
  p[0] = sizes[1];
  cudaMemsetAsync(p, 0, sizes[0]);
}
struct Stack {
  int* values;
  __device__ int operator()(int i) const { return onHost(values[i]); }
  __device__ Stack(int* p) : values(p) { values[1] = onHost(values[2]); }
  __device__ int later(int i);
};
__device__ inline int Stack::later(int i) { values[1] = onHost(values[i]); return values[2]; }
template <class T> __device__ T* taken(T* p) { T* q = p + onHost(p[1]); cudaDeviceSynchronize(); p[0] = 1; return q; }
inline __device__ int object(int* p) { OfHost o(p[0]); return o.at(p[1]) + o; }
#define FUNCTION(name) inline __device__ void name(int* p) { onHost(p[5]); }
FUNCTION(made)
inline __device__ int lambda(int* p) { auto f = [&](int i) { return onHost(p[i]); }; return f(1); }
__global__ void kernel(int* p) { p[2] = 3; }
