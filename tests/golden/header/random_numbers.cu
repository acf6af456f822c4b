// Clang's wrapper includes headers of the random numbers' whose macros have names that programs give to their own: nvcc
// knows them only where they are included.
// expect: out[TBL_SIZE * i]) = QUALIFIERS;
// expect: CUI_ACCESS(#, out[MEXP])
// expect-not: skipped
// compile: -DMEXP=2
// nvcc: no, it needs -D
#ifdef THREAD_NUM
#error "it is not asked for"
#endif
#if MEXP != 2
#error "the command line says what it is"
#endif
template <int THREAD_NUM, int TBL_SIZE>
__global__ void fill(int* out) {
  const int LARGE_SIZE = 3 * THREAD_NUM, QUALIFIERS = 1;
  for (int i = threadIdx.x; i < LARGE_SIZE * MEXP; i += THREAD_NUM) out[TBL_SIZE * i] = QUALIFIERS;
  out[MEXP] = 0;
}
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 192 * 2 * sizeof(int));
  fill<32, 2><<<1, 32>>>(out);
  return cudaFree(out);
}
