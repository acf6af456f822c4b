// Elements that a range-based for copies: of arrays, members, the library's and the program's own ranges, structured
// bindings, conversions, through one's own begin() and end(). What the program's own copying accesses is recorded in there,
// and so is what an iterator makes itself.
// standard: 14 17 20
// expect: for (float x : CUI_EACH(#, tile)) sum += x;
// expect: for (float x : CUI_EACH(#, grid->cells)) sum += x;
// expect: for (double x : CUI_EACH(#, table)) sum += x;
// expect: load, constant, instrumented, 4, 1, "arrays", "table", "table", "", "int", "", "", ""
// expect: for (const Pair pair : CUI_EACH(#, grid->pairs)) sum += pair.a;
// expect: copy, generic, instrumented, 8, 1, "arrays", "grid->pairs", "grid->pairs", "", "Pair", "", "", ""
// expect: for (float4 x : CUI_EACH(#, *fours)) sum += x.w;
// expect: for (const auto row : grid->rows) sum += CUI_ACCESS(#, row[1]);
// expect: for (auto& x : tile) CUI_ACCESS(#, x) = sum;
// expect: for (float x : own) sum += x;
// expect: for (int x : CUI_EACH(#, range)) sum += x;
// expect: for (int x : CUI_EACH(#, found)) sum += x;
// expect: for (int x : CUI_EACH(#, Range{in, in + 4})) sum += x;
// expect: for (Copied x : copied) sum += x.value;
// expect: for (int x : counting) sum += x;
// expect: for (int x : {CUI_ACCESS(#, in[0]), 2}) sum += x;
// expect: for (volatile int x : CUI_EACH(#, *flags)) sum += x;
// expect: for (Tag tag : tags) sum += 1;
struct Pair { int a, b; };
struct Tag {};
struct Grid {
  float cells[4];
  Pair pairs[3];
  float rows[2][3];
};
struct Range {
  int* first;
  int* last;
  __device__ int* begin() const { return first; }
  __device__ int* end() const { return last; }
};
namespace others {
struct Found {
  int* values;
};
__device__ int* begin(Found& found) { return found.values; }
__device__ int* end(Found& found) { return found.values + 2; }
}  // namespace others
struct Copied {
  int value;
  Copied() = default;
  __device__ Copied(const Copied& other) : value(other.value) {}
};
struct Count {
  int at;
  __device__ int operator*() const { return at; }
  __device__ void operator++() { ++at; }
  __device__ bool operator!=(const Count& other) const { return at != other.at; }
};
struct Counting {
  const int* count;
  __device__ Count begin() const { return {0}; }
  __device__ Count end() const { return {*count}; }
};
__constant__ int table[4];
__global__ void arrays(float* out, Grid* grid, float4 (*fours)[2]) {
  __shared__ float tile[8];
  float sum = 0, own[2] = {1, 2};
  for (float x : tile) sum += x;
  for (float x : grid->cells) sum += x;
  for (double x : table) sum += x;
  for (const Pair pair : grid->pairs) sum += pair.a;
  for (float4 x : *fours) sum += x.w;
  for (const auto row : grid->rows) sum += row[1];
  for (auto& x : tile) x = sum;
  for (float x : own) sum += x;
  out[0] = sum;
}
__global__ void ranges(int* in, Range range, others::Found found, Copied (&copied)[3], Counting counting, volatile int (*flags)[2], Tag (&tags)[2]) {
  int sum = 0;
  for (int x : range) sum += x;
  for (int x : found) sum += x;
  for (int x : Range{in, in + 4}) sum += x;
  for (Copied x : copied) sum += x.value;
  for (int x : counting) sum += x;
  for (int x : {in[0], 2}) sum += x;
  for (volatile int x : *flags) sum += x;
  for (Tag tag : tags) sum += 1;
  in[0] = sum;
}
