// Elements that iterators of a class lead to: by reference they are recorded where they are used; by value, where the
// loop copies them. A range that holds its elements, or a list, is a thread's own.
// standard: 17 20
// expect: for (int x : CUI_EACH(#, range)) sum += x;
// expect: for (int x : CUI_EACH(#, make(in))) sum += x;
// expect: for (int& x : range) CUI_ACCESS(#, x) = 0;
// expect: load, generic, instrumented, 4, 1, "iterators", "range", "range", "", "int", "", "", ""
// expect: load, generic, instrumented, 4, 1, "iterators", "make(in)", "make(in)", "", "int", "", "", ""
// expect-not: "own"
struct Iterator {
  int* at;
  __device__ int& operator*() const { return *at; }
  __device__ Iterator& operator++() {
    ++at;
    return *this;
  }
  __device__ bool operator!=(const Iterator& other) const { return at != other.at; }
};
struct Range {
  int* first;
  int* last;
  __device__ Iterator begin() const { return {first}; }
  __device__ Iterator end() const { return {last}; }
};
struct Few {
  int values[3];
  __device__ const int* begin() const { return values; }
  __device__ const int* end() const { return values + 3; }
};
__device__ Range make(int* from) {
  return {from, from + 8};
}
__global__ void iterators(int* out, int* in, Range range) {
  int sum = 0;
  for (int x : range) sum += x;
  for (int& x : range) x = 0;
  for (int x : make(in)) sum += x;
  Few own{{1, 2, 3}};
  for (int x : own) sum += x;
  for (int x : {in[0], in[1]}) sum += x;
  out[0] = sum;
}
