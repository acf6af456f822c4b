// Iterating over a shared array by reference and by value, and a structured binding of an element.
// standard: 17 20
// expect: CUI_ACCESS(#, x) = 0;
struct Pair { int a, b; };
__global__ void rangeFor(int* out, Pair* pairs) {
  __shared__ int tile[8];
  for (int& x : tile) x = 0;
  int sum = 0;
  for (int x : tile) sum += x;
  auto [a, b] = pairs[threadIdx.x];
  auto& [c, d] = pairs[0];
  c = a;
  out[0] = sum + b + d;
}
