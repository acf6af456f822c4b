// Operands that are a part of the instruction's text, which templates choose: what each instantiation's instruction is.
// standard: 17 20
// expect: asm volatile("ld.global%1.s32 %0, [%2];" : "=r"(x) : "C"(Cached<C>::name), "l"(CUI_ASSEMBLY(#, 4, 0, p)));
// expect: load, global, instrumented, 4, 0, "loadCached", "asm ld.global.nc.s32", "p"
template <bool C>
struct Cached {
  static constexpr const char name[] = ".nc";
};
template <>
struct Cached<false> {
  static constexpr const char name[] = "";
};
template <bool C>
__device__ int loadCached(const int* p) {
  int x;
  asm volatile("ld.global%1.s32 %0, [%2];" : "=r"(x) : "C"(Cached<C>::name), "l"(p));
  return x;
}
__global__ void textOperands(const int* in, int* out) {
  out[0] = loadCached<true>(in) + loadCached<false>(in + 1);
}
