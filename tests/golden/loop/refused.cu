// Where it is not known in front of the loop what will be accessed how often: each access is recorded when it is
// made. The same where a statement in front of the loop would not be one of a block.
// expect: for (int k = 0; k < n; ++k) CUI_ACCESS(#, out[CUI_ACCESS(#, index[k])]) = 1;
// expect: for (int k = 0; k < n; ++k) if (k & 1) CUI_ACCESS(#, out[k]) = 1;
// expect: for (int k = 0; k < n; ++k) if (CUI_ACCESS(#, index[k]) > 0) CUI_ACCESS(#, out[k]) = 1;
// expect: for (int k = 0; k < n; ++k) if (k & 1) ++i; else if (CUI_ACCESS(#, index[k]) > 0) ++i;
// expect: for (int k = 0; k < n; ++k) CUI_ACCESS(#, out[k * k]) = 1;
// expect: for (int k = 0; k < n; ++k) CUI_ACCESS(#, out[k % 4]) = 1;
// expect: for (int k = 0; k < n; ++k) CUI_ACCESS(#, out[(unsigned char)k]) = 1;
// expect: for (int k = 0; k < n; ++k) { CUI_ACCESS(#, out[i]) = 1; i *= 2; }
// expect: for (int k = 0; k < n; ++k) { CUI_ACCESS(#, out[k]) = 1; if (i) break; }
// expect: for (int k = 0; k < n; ++k) { CUI_ACCESS(#, out[k]) = 1; CUI_BARRIER(__syncthreads()); }
// expect: for (int k = 0; k < n; ++k) CUI_ACCESS(#, out[k]) = value(CUI_ACCESS(#, out[k]));
// expect: for (int k = 0; k < n; ++k) { CUI_ACCESS(#, out[k]) = 1; n -= 1; }
// expect: for (int k = 0; k < n; ++k) atomicAdd(CUI_POINTER(#, out + k), 1);
// expect: for (int k = 0; k < n && k < 9; ++k) CUI_ACCESS(#, out[k]) = 1;
// expect: for (int k = 0; k < CUI_ACCESS(#, index[0]); ++k) CUI_ACCESS(#, out[k]) = 1;
// expect: for (short k = 0; k < 8; ++k) CUI_ACCESS(#, out[k]) = 1;
// expect: for (float k = 0; k < 8; ++k) CUI_ACCESS(#, out[i]) = 1;
// expect: for (int k = 1; k < n; k *= 2) CUI_ACCESS(#, out[k]) = 1;
// expect: if (n) for (int k = 0; k < n; ++k) CUI_ACCESS(#, out[k]) = 1;
// expect: LOOP_EACH(k) CUI_ACCESS(#, out[k]) = 1;
// expect: while (i < n) CUI_ACCESS(#, out[i++]) = 1;
// expect: for (int k = 0; k < n; ++k) { int own = CUI_ACCESS(#, index[k]); CUI_ACCESS(#, out[own]) = 1; }
// expect: case 1: for (int k = 0; k < n; ++k) CUI_ACCESS(#, out[k]) = 1;
// expect: for (int k = 0; k < n; ++k) CUI_ACCESS(#, out[k]) = 2;
// expect-not: CUI_LOOP
#define LOOP_EACH(k) for (int k = 0; k < n; ++k)
__device__ int value(int v) { return v + 1; }
__device__ void refused(int* out, const int* index, int n, int which) {
  int i = threadIdx.x;
  for (int k = 0; k < n; ++k) out[index[k]] = 1;
  for (int k = 0; k < n; ++k) if (k & 1) out[k] = 1;
  for (int k = 0; k < n; ++k) if (index[k] > 0) out[k] = 1;
  for (int k = 0; k < n; ++k) if (k & 1) ++i; else if (index[k] > 0) ++i;
  for (int k = 0; k < n; ++k) out[k * k] = 1;
  for (int k = 0; k < n; ++k) out[k % 4] = 1;
  for (int k = 0; k < n; ++k) out[(unsigned char)k] = 1;
  for (int k = 0; k < n; ++k) { out[i] = 1; i *= 2; }
  for (int k = 0; k < n; ++k) { out[k] = 1; if (i) break; }
  for (int k = 0; k < n; ++k) { out[k] = 1; __syncthreads(); }
  for (int k = 0; k < n; ++k) out[k] = value(out[k]);
  for (int k = 0; k < n; ++k) { out[k] = 1; n -= 1; }
  for (int k = 0; k < n; ++k) atomicAdd(out + k, 1);
  for (int k = 0; k < n && k < 9; ++k) out[k] = 1;
  for (int k = 0; k < index[0]; ++k) out[k] = 1;
  for (short k = 0; k < 8; ++k) out[k] = 1;
  for (float k = 0; k < 8; ++k) out[i] = 1;
  for (int k = 1; k < n; k *= 2) out[k] = 1;
  if (n) for (int k = 0; k < n; ++k) out[k] = 1;
  LOOP_EACH(k) out[k] = 1;
  while (i < n) out[i++] = 1;
  for (int k = 0; k < n; ++k) { int own = index[k]; out[own] = 1; }
  switch (which) {
    case 1: for (int k = 0; k < n; ++k) out[k] = 1;
  }
}
__global__ void jumpedOver(int* out, int n) {
  if (threadIdx.x > n) goto end;
  for (int k = 0; k < n; ++k) out[k] = 2;
end:;
}
