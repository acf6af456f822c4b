// ldmatrix and stmatrix: 8, 16 or 32 lanes each give the address of a row of 16 bytes; recorded of those lanes only.
// expect: "r"(CUI_ASSEMBLY_ROWS_SHARED(#, 8, 0, at))
// expect: LOAD_FOUR(a, b, c, d, CUI_ASSEMBLY_ROWS_SHARED(#, 32, 0, at));
// expect: "r"(CUI_ASSEMBLY_ROWS_SHARED(#, 16, 32, at)), "r"(a), "r"(b)
// expect: "l"(CUI_ASSEMBLY_ROWS(#, 8, 0, tile + 8 * (threadIdx.x & 7)))
// expect: load, shared, instrumented, 16, 0, "matrices", "asm ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "at"
// expect: store, shared, instrumented, 16, 0, "matrices", "asm stmatrix.sync.aligned.m8n8.x2.shared.b16", "at"
#define LOAD_FOUR(a, b, c, d, row)                                                               \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"          \
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                              \
               : "r"(row))
__global__ void matrices(unsigned* out) {
  __shared__ unsigned short tile[32 * 8];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile)) + 16 * threadIdx.x;
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(at));
  LOAD_FOUR(a, b, c, d, at);
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0+32], {%1, %2};" ::"r"(at), "r"(a), "r"(b) : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, [%1];" : "=r"(d) : "l"(tile + 8 * (threadIdx.x & 7)));
  out[threadIdx.x] = a + b + c + d;
}
#undef LOAD_FOUR
