// A `warpSize` of the program's own, which nvcc lets stand beside its declaration: a constant, and no access. Members of that name
// are not concerned.
// standard: 17 20
// expect: CUI_ACCESS(#, p[threadIdx.x / warpSize]) += warpSize;
// expect: CUI_ACCESS(#, p[0]) = CUI_ACCESS(#, s->warpSize);
// expect-not: Clang rejects
inline constexpr int warpSize = 32;
struct Sizes { int warpSize; };
__global__ void k(int* p, Sizes* s) {
  p[threadIdx.x / warpSize] += warpSize;
  p[0] = s->warpSize;
}
