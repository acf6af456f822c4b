// What a body may have: variables of its own, which the places may be made of, the toolkit's arithmetic and vectors,
// choices that make no accesses, and those that an access says which is made each time. A vector that a variable is
// made from is recorded at its place where the loop could not be.
// expect: CUI_LOOP_BY_ROW(#, (2, (const decltype(x) x = (threadIdx.x); (void)(x)), (true), ()), 2, (int, y, (threadIdx.y), <, 32, + (blockDim.y)), (const int row = first + y;), (#, in[row * width + x], #, out[x * width + row]), for
// expect: CUI_LOOP_BY_ROW(#, (0, (), (true), ()), 1, (int, j, 0, <, width, + 1), (), (#, bodies[j]), for (int j = 0; j < width; ++j) { const float4 other = bodies[j]; float d = rsqrtf(other.x * other.x + 0.01f); if (d > 1) d = 1; sum = make_float4(sum.x + d, sum.y, sum.z, 0); })for
// expect: const float4 other = CUI_LOOP_ACCESS(#, bodies[j]);
// expect: CUI_FIXED_LOOP_BY_ROW(#, (0, (), (true), ()), 2, (int, k, 1, <, 8, + 1), (const float* from = in + k * width; int at = 2 * k;), (#, from[at], #, out[k]), for
// expect: CUI_LOOP_BY_ROW(#, (0, (), (true), ()), 3, (int, k, 0, <, width, + 1), (), (#, bodies[k].x, #, in[k], #, bodies[k].x), for
// expect: CUI_LOOP_BY_ROW(#, (0, (), (true), ()), 1, (int, k, 0, <, width, + 1), (), (#, in[k]), for (int k = 0; k < width; ++k) if (in[k] > sum.x) ++larger;)for
// expect: if (CUI_LOOP_ACCESS(#, in[k]) > sum.x) ++larger;
__global__ void body(const float* in, float* out, float4* bodies, int width) {
  const int x = threadIdx.x, first = blockIdx.y * 32;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    const int row = first + y;
    out[x * width + row] = in[row * width + x];
  }
  for (int j = 0; j < width; ++j) {
    const float4 other = bodies[j];
    float d = rsqrtf(other.x * other.x + 0.01f);  // softened
    if (d > 1) d = 1;
    sum = make_float4(sum.x + d, sum.y, sum.z, 0);
  }
  for (int k = 1; k < 8; ++k) {
    const float* from = in + k * width;
    int at = 2 * k;
    out[k] = from[at];
  }
  for (int k = 0; k < width; ++k) {
    sum.x += bodies[k].x;
    bodies[k].x = in[k];
  }
  int larger = 0;
  for (int k = 0; k < width; ++k)
    if (in[k] > sum.x) ++larger;
  out[first] = larger;
}
