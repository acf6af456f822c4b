// Loops in a loop whose accesses are not written out: the inner ones are recorded in front of them, or nothing is. As many
// places as are too many; loops that the source does not say enough about, or that are left early; places in which
// something else is another one each time.
// expect-not: CUI_LOOP(#, 33
// expect-not: (int, k,
#define FROM a[k + j]
struct Other { int j; };
__global__ void refused(const float* a, float* b, int n) {
  float sum[64] = {};
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 33; ++j) sum[j] += a[j * n + k];
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) sum[j] += a[j * n + k];
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 4; ++j) {
      if (j == n) break;
      sum[j] += a[j * n + k];
    }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 4; ++j) {
      sum[j] += a[j * n + k];
      if (n == 2) ++j;
    }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 4; ++j) {
      const int at = j * n + k;  // a variable of the inner body's own
      sum[j] += a[at];
    }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 4; ++j) sum[j] += FROM;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 4; ++j) sum[j] += a[k + j] + FROM;
  int i;
  for (int k = 0; k < n; ++k)
    for (i = 0; i < 4; ++i) sum[i] += a[k + i];
  for (int k = 0; k < n; ++k) {
    if (n > 3)
      for (int j = 0; j < 4; ++j) sum[j] += a[k + j];
  }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 4; ++j) sum[j] += a[k * k + j];
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < 4; ++j) sum[j] += a[k + j];
    __syncwarp();
  }
  // As many places as there would be calls, or more.
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 8; ++j) sum[j] += a[k * n + j];
  for (short j = 0; j < 4; ++j)
    for (int k = 0; k < n; k += j) b[k] = sum[j];
}
