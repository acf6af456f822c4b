// A store in inline assembly whose address is an operand: the operand is wrapped, the bytes come from the PTX type.
// expect: "st.global.f32 [%0], %1;" ::"l"(CUI_ASSEMBLY(#, 4, 0, a + threadIdx.x)), "f"(1.0f)
// expect: store, global, instrumented, 4, 0, "assembly", "asm st.global.f32", "a", "threadIdx.x"
__global__ void assembly(float* a) {
  asm volatile("st.global.f32 [%0], %1;" ::"l"(a + threadIdx.x), "f"(1.0f) : "memory");
}
