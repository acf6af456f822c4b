// A subscript inside a subscript: both are accesses, the inner one is recorded first.
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, table[CUI_ACCESS(#, index[i])]);
// expect: CUI_ACCESS(#, out[CUI_ACCESS(#, index[CUI_ACCESS(#, index[i])])]) = 0;
__global__ void gather(int* out, const int* index, const int* table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[index[i]];
  out[index[index[i]]] = 0;
}
