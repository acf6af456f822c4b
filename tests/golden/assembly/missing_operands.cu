// Nothing calls these, so that nvcc never reads their assembly, whose operands are not all there: they are instrumented like others.
// expect: "=r"(CUI_ACCESS(#, d)) : "r"(CUI_ACCESS(#, a))
// expect: CUI_ACCESS(#, p[2]) = 1
// expect-not: Clang rejects
__device__ __forceinline__ void inverted(unsigned& d, const unsigned& a) {
  asm volatile("not.b32 %0, %1, %2;" : "=r"(d) : "r"(a));
}
template <typename T> __device__ void sum(T* p) {
  asm("add.u32 %0, %1, %5;" : "=r"(p[0]) : "r"(p[1]));
  p[2] = 1;
}
__global__ void used(int* p) { p[0] = 1; }
