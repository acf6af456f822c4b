// An address that the assembly also writes, as chases of pointers have it: the form is the operand itself. What the assembly reads
// after it has written it is left alone.
// expect: asm volatile("ld.global.u64 %0, [%0];" : "+l"(CUI_ASSEMBLY_CHANGED(#, 8, 0, next))::"memory");
// expect: asm volatile("ld.shared.b32 %0, [%0+4];\n" : "+r"(CUI_ASSEMBLY_CHANGED_SHARED(#, 4, 4, at)));
// expect: "+l"(CUI_ASSEMBLY_CHANGED(#, 8, 0, CUI_ACCESS(#, heads[threadIdx.x]))));
// expect: asm volatile("add.u64 %0, %0, 8; ld.global.u64 %0, [%0];" : "+l"(next));
// expect: STEP(CUI_ASSEMBLY_CHANGED(#, 8, 0, next));
// expect: "its address is also an output"
#define STEP(p) asm volatile("ld.global.u64 %0, [%0];" : "+l"(p))
__global__ void chase(void** first, void** heads, int n, unsigned at) {
  void* next = *first;
  for (int i = 0; i < n; ++i) {
    asm volatile("ld.global.u64 %0, [%0];" : "+l"(next)::"memory");
    asm volatile("ld.shared.b32 %0, [%0+4];\n" : "+r"(at));
  }
  asm volatile("ld.global.u64 %0, [%0];" : "+l"(heads[threadIdx.x]));
  asm volatile("add.u64 %0, %0, 8; ld.global.u64 %0, [%0];" : "+l"(next));
  STEP(next);
  *first = (char*)next + at;
}
#undef STEP
