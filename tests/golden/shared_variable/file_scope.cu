// At file scope there is no statement to add; the variable is in the tables all the same.
// expect: extern __shared__ float buffer[] CUI_DYNAMIC_SHARED;
// expect: __shared__ int fixed[8];
// expect: CUI_ACCESS(#, buffer[i]) = CUI_ACCESS(#, fixed[i]);
// expect-not: CUI_SHARED(
extern __shared__ float buffer[];
__shared__ int fixed[8];
__global__ void fileScope() {
  int i = threadIdx.x;
  buffer[i] = fixed[i];
}
