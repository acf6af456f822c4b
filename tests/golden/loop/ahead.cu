// Variables beside the one that counts that go on evenly: integers and pointers, by a statement of the body or in the
// loop's head. Where they are named, what they will be stands for them: one step further behind the statement.
// expect: CUI_LOOP_BY_ROW(#, (0, (const decltype(i) i = (threadIdx.x); (void)(i)), (true), ()), 7, (int, z, 1, <, (n - 1), + 1), (), (#, in[::cui::cuiAhead(i, plane, cuiTime + 1) + plane], #, in[::cui::cuiAhead(i, plane, cuiTime + 1) - 1], #, in[::cui::cuiAhead(i, plane, cuiTime + 1) + 1],
// expect: #, out[::cui::cuiAhead(i, plane, cuiTime + 1)]), for (int z = 1; z < n - 1; ++z) { i += plane;
// expect: CUI_LOOP(#, 3, (int, k, 0, <, n, + 1), (const int at = ::cui::cuiAhead(i, (2 * n), cuiTime) + k;), (#, in[at], #, *::cui::cuiAhead(from, 1, cuiTime), #, out[::cui::cuiAhead(i, (2 * n), cuiTime + 1)]), for
// expect: CUI_LOOP(#, 2, (int, k, n, >, 0, - 1), (), (#, ::cui::cuiAhead(from, stride, -cuiTime)[k], #, (::cui::cuiAhead(to, 32, -(cuiTime + 1)))[-1]), for (int k = n; k > 0; --k, from -= stride) {
// expect: CUI_FIXED_LOOP(#, 2, (int, k, 0, <, 8, + 1), (), (#, in[::cui::cuiAhead(i, 3, cuiTime) + 0], #, in[::cui::cuiAhead(i, 3, cuiTime) + 1]), for
// expect: CUI_LOOP_BY_ROW(#, (0, (const decltype(u) u = (threadIdx.x); (void)(u)), (true), ()), 1, (int, k, 0, <, 8, + 1), (), (#, in[::cui::cuiAhead(u, 3, cuiTime)]), for
__global__ void ahead(const float* in, float* out, int n, unsigned stride) {
  const int plane = n * n;
  int i = threadIdx.x;
  unsigned u = threadIdx.x;
  const float* from = in + i;
  float* to = out + i;
  float below = 0;
  for (int z = 1; z < n - 1; ++z) {
    i += plane;
    const float above = in[i + plane];
    out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i] + below + above;
    below = above;
  }
  for (int k = 0; k < n; ++k) {
    const int at = i + k;
    below += in[at] + *from;
    i = i + 2 * n;
    ++from;
    out[i] = below;
  }
  for (int k = n; k > 0; --k, from -= stride) {
    to -= 32;
    (to)[-1] = from[k];
  }
  for (int k = 0; k < 8; ++k, i += 3)
    for (int j = 0; j < 2; ++j) below += in[i + j];
  for (int k = 0; k < 8; ++k) {
    below += in[u];
    u += 3;
  }
  out[i] = below;
}
// Which do not: under a condition, in a loop in it, twice, by what changes, in an expression; where nothing can be written.
// expect-not: cuiAhead(j
#define AT_J in[j + k]
__global__ void refused(const float* in, float* out, int n, int which) {
  int j = threadIdx.x, by = 1;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += in[j];
    if (k == which) j += n;
  }
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 2; ++i) j += n;
    sum += in[j];
  }
  for (int k = 0; k < n; ++k) {
    j += n;
    sum += in[j];
    j -= 2;
  }
  for (int k = 0; k < n; ++k) {
    sum += in[j];
    j += k;
  }
  for (int k = 0; k < n; ++k) {
    sum += in[j];
    j += by;
    by += 2;
  }
  for (int k = 0; k < n; ++k) sum += in[j++];
  for (int k = 0; k < n; ++k, j *= 2) sum += in[k] + in[j];
  for (int k = 0; k < n; ++k, ++k) sum += in[k];
  for (int k = 0; k < n; ++k) {
    const int step = 2;
    sum += in[j];
    j += step;
  }
  for (int k = 0; k < n; ++k) {
    sum += AT_J;
    j += 2;
  }
  out[j] = sum;
}
