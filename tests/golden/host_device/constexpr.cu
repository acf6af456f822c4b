// A constexpr function stays one.
// expect: return CUI_ACCESS(#, a[i]);
// expect: static_assert(pick({1, 2, 3}, 1) == 2, "");
struct Triple { int items[3]; };
__host__ __device__ constexpr int at(const int* a, int i) { return a[i]; }
__host__ __device__ constexpr int pick(const Triple& t, int i) { return at(t.items, i); }
static_assert(pick({1, 2, 3}, 1) == 2, "");
__global__ void run(int* a) {
  int sized[pick({1, 2, 3}, 2)] = {};
  a[0] = at(a, 1) + sized[0];
}
