// The memory instructions of inline assembly: vectors, offsets, atomics, shared addresses as numbers, asynchronous
// copies, macros and templates.
// expect: "l"(CUI_ASSEMBLY(#, 16, -16, p + 4))
// expect: "r"(CUI_ASSEMBLY_SHARED(#, 4, 0, at)), "l"(CUI_ASSEMBLY(#, 4, 0, p))
// expect: "r"(CUI_ASSEMBLY_SHARED(#, 16, 0, at)), "l"(CUI_ASSEMBLY(#, 16, 0, CUI_ACCESS(#, source[i])))
// expect: : "l"(CUI_ASSEMBLY(#, 4, 8, CUI_ASSEMBLY(#, 4, 0, counts)))
// expect: LOAD_64(first, CUI_ASSEMBLY(#, 8, 0, wide));
// expect: "l"(CUI_MACRO_ASSEMBLY(#, 4, 0, counts)))
// expect: atomic, global, instrumented, 4, 0, "instructions", "asm atom.global.add.u32", "counts"
#define LOAD_64(to, address) asm("ld.global.nc.b64 %0, [%1];" : "=l"(to) : "l"(address))
#define COUNT() asm volatile("red.global.add.u32 [%0], 1;" ::"l"(counts))

template <int bytes>
__device__ void copy(unsigned at, const void* p) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(p), "n"(bytes));
}
__global__ void instructions(float* p, const float** source, unsigned* counts, long long* wide) {
  __shared__ float tile[64];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const int i = threadIdx.x;
  float x, y, z, w;
  asm("ld.global.v4.f32 {%0, %1, %2, %3}, [%4+-16];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(p + 4));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(source[i]));
  unsigned old;
  asm volatile("atom.global.add.u32 %0, [%1], 1;\n\tred.global.add.u32 [%1 + 8], 2;"
               : "=r"(old)
               : "l"(counts)
               : "memory");
  long long first, second;
  LOAD_64(first, wide);
  LOAD_64(second, wide + 1);
  COUNT();
  COUNT();
  copy<4>(at, p);
  p[0] = x + y + z + w + old + first + second;
}
