// Functions for both sides that call the host's, of which nvcc warns: the device never comes there. Where nothing calls the
// function for the device, or it is a template, Clang loses nothing of it; else the statement with the call has rows.
// expect: T first(F function, T* p) { CUI_ACCESS(#, p[0]) = 1; return onHost(CUI_ACCESS(#, p[1])) + function(CUI_ACCESS(#, p[2])); }
// expect: int second(int* p) { if (CUI_ACCESS(#, p[0]) < 0) return onHost(p[1]); return CUI_ACCESS(#, p[2]); }
// expect: Clang cannot tell what it is
// expect-not: Clang rejects
int onHost(int i) { return i; }
template <class F, class T> __host__ __device__ T first(F function, T* p) { p[0] = 1; return onHost(p[1]) + function(p[2]); }
__host__ __device__ int second(int* p) { if (p[0] < 0) return onHost(p[1]); return p[2]; }
struct Twice { __host__ __device__ int operator()(int i) const { return 2 * i; } };
__global__ void both(int* p) { p[0] = first(Twice(), p) + second(p); }
