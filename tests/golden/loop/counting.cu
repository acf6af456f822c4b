// What counts: any relation, steps up and down, a variable of the loop's own or an older one, places that are even
// in it. What is in front of the loop has copies of the places and of the whole loop.
// expect: CUI_LOOP_BY_ROW(#, (0, (const decltype(i) i = (blockIdx.x * blockDim.x + threadIdx.x); (void)(i)), (true), ()), 2, (int, k, 0, <, n, + 1), (), (#, a[i * n + k], #, b[k * n + i]), for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + i];)for (int k = 0; k < n; ++k) CUI_IN_LOOP((#, a[i * n + k], #, b[k * n + i]), sum += a[i * n + k] * b[k * n + i]);
// expect: CUI_LOOP_BY_ROW(#, (0, (), (true), ()), 1, (unsigned int, j, (n - 1u), >=, 4, - (blockDim.x / 2)), (), (#, a[j]), for
// expect: sum += CUI_LOOP_ACCESS(#, a[j]);
// expect: CUI_LOOP(#, 2, (int, i, i, <, n, + (gridDim.x * blockDim.x)), (), (#, a[i], #, out[i]), for (; i < n; i += gridDim.x * blockDim.x) out[i] = a[i];)for
// expect: CUI_LOOP(#, 1, (int, m, 3, !=, LOOP_LIMIT, + 2), (), (#, b[(m << 1) - i]), for
// expect: CUI_FIXED_LOOP_BY_ROW(#, (0, (), (true), ()), 1, (unsigned long, s, (sizeof(int)), <=, 64, + 1), (), (#, out[s]), for
// expect: CUI_ALIKE_LOOP(#, (), 1, (int, k, n, >, 0, - 1), (), (#, tile[k][threadIdx.x]), for
// expect: CUI_FIXED_LOOP_BY_ROW(#, (0, (), (true), ()), 2, (int, k, 0, <, 4, + 1), (), (#, points[k].x, #, points[k].y), for
#define LOOP_LIMIT 17
struct Point { float x, y; };
__global__ void counting(const float* a, const float* b, float* out, Point* points, int n) {
  __shared__ float tile[32][33];
  int i = blockIdx.x * blockDim.x + threadIdx.x, m;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + i];
  for (unsigned j = n - 1u; j >= 4; j -= blockDim.x / 2) {
    sum += a[j];
  }
  for (; i < n; i += gridDim.x * blockDim.x)  // the comment stays where it is
    out[i] = a[i];
  for (m = 3; m != LOOP_LIMIT; m = m + 2) sum += b[(m << 1) - i];
  for (unsigned long s = sizeof(int); s <= 64; s++) out[s] = sum;
  for (int k = n; k > 0; k--) tile[k][threadIdx.x] = 0;
  for (int k = 0; k < 4; ++k)
    sum += points[k].x +
           points[k].y;
  out[0] = sum;
}
