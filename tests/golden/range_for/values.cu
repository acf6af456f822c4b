// With --values: what is copied is in the record, if it is a number.
// rewrite: --values
// standard: 17 20
// expect: for (float x : CUI_LOAD_EACH(#, tile)) sum += x;
// expect: for (Pair x : CUI_EACH(#, *pairs)) sum += x.a;
// expect: for (auto x : CUI_MACRO_LOAD_EACH(#, (range))) total += x
struct Pair { int a, b; };
#define SUM(total, range) for (auto x : (range)) total += x
__global__ void values(float* out, Pair (*pairs)[4]) {
  __shared__ float tile[8];
  float sum = 0;
  for (float x : tile) sum += x;
  for (Pair x : *pairs) sum += x.a;
  SUM(sum, tile);
  out[0] = sum;
}
