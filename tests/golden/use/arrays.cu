// References to arrays and rows, auto&, arrays as parameters.
// expect: float (&row)[8] = tile[1];
// expect: CUI_ACCESS(#, row[i]) = CUI_ACCESS(#, first[i]);
// expect: auto& cell = tile[2][i];
// expect: CUI_ACCESS(#, cell) += 1;
// expect: return CUI_ACCESS(#, all[0][1]) + CUI_ACCESS(#, one[2]);
__device__ float sum(const float (&all)[4][8], const float one[8]) { return all[0][1] + one[2]; }
__global__ void arrays(float* out, const float (*first)) {
  __shared__ float tile[4][8];
  int i = threadIdx.x;
  float (&row)[8] = tile[1];
  row[i] = first[i];
  auto& cell = tile[2][i];
  cell += 1;
  out[i] = sum(tile, tile[3]);
}
