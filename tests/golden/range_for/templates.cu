// In templates, lambdas, macros and functions for both sides; loops around such a loop.
// standard: 17 20
// expect: for (T x : CUI_EACH(#, table)) sum += x;
// expect: load, generic, instrumented, 0, 1, "total", "table", "table", "", "T", "", "T=int, n=2 | T=double, n=3", ""
// expect: for (auto x : CUI_EACH(#, range)) sum += x;
// expect: load, generic, instrumented, 4, 1, "sum", "range", "range", "", "int"
// expect: for (auto x : CUI_EACH(#, range.begin)) CUI_ACCESS(#, *out) += x;
// expect: for (T x : range) CUI_ACCESS(#, *out) += CUI_ACCESS(#, x);
// expect: load, generic, skipped, 4, 1, "either", "range", "range", "", "int", "", "T=int", "read by a range-based for whose variable is a reference in some cases"
// expect: SUM(all, CUI_EACH(#, span));
// expect: for (int x : CUI_EACH(#, values)) sum += x;
// expect: #define OF(total, all) for (auto x : CUI_MACRO_EACH(#, all.values)) total += x
// expect: TWICE(all, a);
// expect: load, generic, skipped, 4, 1, "templates", "a", "a", "", "int", "", "", "a macro's argument that is used several times"
// expect: CUI_ACCESS(#, out[0]) += x * k;
// expect-not: CUI_LOOP
template <class T, int n>
__device__ T total(const T (&table)[n]) {
  T sum = 0;
  for (T x : table) sum += x;
  return sum;
}
template <class Range>
__host__ __device__ int sum(const Range& range) {
  int sum = 0;
  for (auto x : range) sum += x;
  return sum;
}
template <class Range>
__device__ void never(const Range& range, float* out) {
  for (auto x : range.begin) *out += x;
}
template <class T>
__device__ void either(int (&range)[2], int* out) {
  for (T x : range) *out += x;
}
#define SUM(total, range) for (auto x : range) total += x
#define OF(total, all) for (auto x : all.values) total += x
#define TWICE(total, range) for (auto x : range) total += x + sizeof(range)
struct Values { int values[3]; };
__host__ __device__ constexpr int known(const int (&values)[2]) {
  int sum = 0;
  for (int x : values) sum += x;
  return sum;
}
constexpr int two[] = {1, 2};
static_assert(known(two) == 3, "");
struct Span {
  const int *first, *last;
  __host__ __device__ const int* begin() const { return first; }
  __host__ __device__ const int* end() const { return last; }
};
__global__ void templates(int* out, int (&a)[2], double (&b)[3], Span span, Values* values) {
  int all = 0;
  out[0] = total(a) + total(b) + sum(span);
  either<int>(a, out);
  either<int&>(a, out);
  SUM(all, a);
  SUM(all, span);
  OF(all, values[1]);
  TWICE(all, a);
  const auto each = [&](auto& range) {
    for (auto x : range) all += x;
  };
  each(a);
  each(span);
  for (int k = 0; k < 100; ++k)
    for (int x : a) out[0] += x * k;
  out[1] = all + known(a);
}
int onHost() {
  const int values[] = {1, 2};
  return sum(Span{values, values + 2});
}
