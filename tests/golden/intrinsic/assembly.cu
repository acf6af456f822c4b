// Inline assembly that touches memory through an address operand should at least be a site that says so.
// cpu: no, asm is the GPU's
// expect: "inline assembly"
__global__ void assembly(float* a) {
  asm volatile("st.global.f32 [%0], %1;" ::"l"(a + threadIdx.x), "f"(1.0f) : "memory");
}
