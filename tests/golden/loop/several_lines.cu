// Accesses and declarations that go over several lines are recorded in front of their loop like others: there they stand on
// one line, without comments.
// expect: CUI_FIXED_LOOP_BY_ROW(#, (0, (const decltype(row) row = (threadIdx.x); (void)(row)), (true), ()), 1, (unsigned long, k, 0, <, 4, + 1), (), (#, *reinterpret_cast<const int4*>( &tile[row * 16 + k * 4])), _Pragma("unroll") for
// expect: CUI_LOOP_ACCESS(#, *reinterpret_cast<const int4*>(
// expect: 2, (int, k, 0, <, n, + 1), (const int at = row * n + k;), (#, a[at], #, out[k * n + row]), for
// A `#` or a backslash could be a directive's or join a macro's lines: recorded where it is made.
// expect: CUI_ACCESS(#, out[k +
// expect-not: (#, out[k + '#'])
__global__ void several_lines(const float* a, const int* tile, float* out, int n) {
  int4 kept[4];
  const size_t row = threadIdx.x;
#pragma unroll
  for (size_t k = 0; k < 4; ++k)
    kept[k] = *reinterpret_cast<const int4*>(  // four at once
        &tile[row * 16 + k * 4]);
  for (int k = 0; k < n; ++k) {
    const int at = row *  // the row
                       n +
                   k;
    out[k * n +
        row] = a[at];
  }
  for (int k = 0; k < n; ++k)
    out[k +
        '#'] = kept[3].x;
}
