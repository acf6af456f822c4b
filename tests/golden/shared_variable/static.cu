// Static shared variables: scalars, arrays of one to three dimensions, several in one declaration, a
// typedef'd one and an aligned one. Each is announced right behind its declaration.
// expect: __shared__ float a[32]; CUI_SHARED(#, a);
// expect: __shared__ int n; CUI_SHARED(#, n);
// expect: __shared__ float tile[8][8 + 1]; CUI_SHARED(#, tile);
// expect: __shared__ short x[4], y[2][2][2]; CUI_SHARED(#, x); CUI_SHARED(#, y);
// expect: __shared__ Row row; CUI_SHARED(#, row);
// expect: __shared__ __align__(16) unsigned char raw[64]; CUI_SHARED(#, raw);
// expect: CUI_ACCESS(#, n) = 1;
// expect: CUI_ACCESS(#, y[0][1][i]) = CUI_ACCESS(#, x[i]);
// expect: shared, instrumented
typedef float Row[16];
__global__ void staticShared(float* out) {
  __shared__ float a[32];
  __shared__ int n;
  __shared__ float tile[8][8 + 1];
  __shared__ short x[4], y[2][2][2];
  __shared__ Row row;
  __shared__ __align__(16) unsigned char raw[64];
  int i = threadIdx.x;
  if (i == 0) n = 1;
  a[i] = tile[i][0] = 0;
  y[0][1][i] = x[i];
  __syncthreads();
  row[i] = a[i] + raw[i];
  out[i] = row[i] + n + tile[0][i] + y[0][0][i];
}
