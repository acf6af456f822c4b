// For the CPU backend a statement of inline assembly becomes a call: its words, its colons and its constraints are
// wrapped. The address operand is recorded as it is on a GPU.
// rewrite: --backend=cpu
// nvcc: no, a call is for the CPU backend
// expect: CUI_PTX(asm)("mov.u32 %0, %%laneid;" CUI_PTX_NEXT(:) CUI_PTX_OPERAND("=r")(lane));
// expect: CUI_PTX(asm volatile)("ld.global.f32 %0, [%1];" CUI_PTX_NEXT(:) CUI_PTX_OPERAND("=f")(x) CUI_PTX_NEXT(:) CUI_PTX_OPERAND("l")(CUI_ASSEMBLY(#, 4, 0, a + lane)) CUI_PTX_NEXT(:) "memory");
// expect: CUI_PTX(asm volatile)("st.global.f32 [%0], %1;" CUI_PTX_NEXT(::)CUI_PTX_OPERAND("l")(CUI_ASSEMBLY(#, 4, 0, a)), CUI_PTX_OPERAND("f")(x)
// expect: CUI_PTX(__asm__ __volatile__)("" CUI_PTX_NEXT(: : :) "memory");
// expect: CUI_PTX(asm)("membar.gl;");
// expect: CUI_PTX(asm)("mov.u32 %0, 1;" CUI_PTX_NEXT(:) CUI_PTX_OPERAND("=r")(lane) CUI_PTX_END(:));
// expect: CUI_PTX(asm)("add.u32 %0, %1, %2;" CUI_PTX_NEXT(:) CUI_PTX_OPERAND("=r")(to) CUI_PTX_NEXT(:) CUI_PTX_OPERAND(ANY)(x), CUI_PTX_OPERAND("n")(N))
// expect: CUI_PTX_OPERAND("=r")(lane) CUI_PTX_NEXT_OPERAND("=f")(x) CUI_PTX_NEXT(:) CUI_PTX_OPERAND("f")(1.0f) CUI_PTX_NEXT_OPERAND("r")(2)
// expect: CUI_PTX(PTX)("trap;");
// expect: TWICE(CUI_PTX(asm)("pmevent 1;");)
// expect: return CUI_ACCESS(#, *p);
// expect-not: CUI_PTX(asm volatile)("pause"
// expect: "asm", "", "", "", "ASSEMBLE", "", "its operands are in another macro's text"
#define ANY "r"
#define PTX asm volatile
#define TWICE(...) __VA_ARGS__ __VA_ARGS__
#define ADD_CONSTANT(to, x) asm("add.u32 %0, %1, %2;" : "=r"(to) : ANY(x), "n"(N))
#define OPERANDS "=r"(lane) :
#define ASSEMBLE asm("mov.u32 %0, 2;" : OPERANDS)

template <int N>
__device__ unsigned added(unsigned x) {
  unsigned to;
  ADD_CONSTANT(to, x);
  return to;
}
template <class T>
__device__ T neverUsed(const T* p) {
  PTX("trap;");
  return *p;
}
__global__ void assembly(float* a) {
  unsigned lane;
  float x;
  asm("mov.f32 %1, %2; mov.u32 %0, %3;" : "=r"(lane) "=f"(x) : "f"(1.0f) "r"(2));
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(a + lane) : "memory");
  asm volatile("st.global.f32 [%0], %1;" ::"l"(a), "f"(x)
               : /* the third list */ "memory");
  __asm__ __volatile__("" : : : "memory");
  asm("membar.gl;");
  TWICE(asm("pmevent 1;");)
  asm("mov.u32 %0, 1;" : "=r"(lane) :);
  if (added<3>(lane) == 7) ASSEMBLE;
}
void onTheHost() {
  asm volatile("pause" ::: "memory");
}
