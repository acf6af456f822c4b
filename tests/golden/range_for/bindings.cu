// Structured bindings of elements that a range-based for copies, and what C++20 puts in front.
// standard: 20
// expect: for (auto [a, b] : CUI_EACH(#, *pairs)) sum += a * b;
// expect: copy, generic, instrumented, 8, 1, "bindings", "*pairs", "*pairs", "", "Pair", "", "", ""
// expect: for (auto& [a, b] : *pairs) sum += CUI_ACCESS(#, a);
// expect: for (const auto [a, b] : CUI_EACH(#, edges)) sum += a - b;
// expect: for (int n = CUI_ACCESS(#, out[1]); float x : CUI_EACH(#, tile)) sum += n * x;
struct Pair { int a, b; };
__global__ void bindings(float* out, Pair (*pairs)[4]) {
  __shared__ float tile[8];
  __shared__ int edges[4][2];
  float sum = 0;
  for (auto [a, b] : *pairs) sum += a * b;
  for (auto& [a, b] : *pairs) sum += a;
  for (const auto [a, b] : edges) sum += a - b;
  for (int n = out[1]; float x : tile) sum += n * x;
  out[0] = sum;
}
