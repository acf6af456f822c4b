// An lvalue that comes from a call through a pointer, to a function or to a member function: what it leads to is accessed
// where it is used. It had neither record nor row.
// expect: CUI_ACCESS(#, found(values)) = 9;
// expect: out[0]) = CUI_ACCESS(#, found(values)) + 1;
// expect: CUI_ACCESS(#, (row->*member)(2)) += 4;
// expect: CUI_ACCESS(#, (CUI_ACCESS(#, table[CUI_ACCESS(#, values[0]) & 1]))(values))++;
// expect: CUI_ACCESS(#, lambda(values)) = 3;
// expect: CUI_ACCESS(#, F(values)) = 2;
// expect: int& bound = found(values);
// expect: int* address = &found(values);
// expect: out[3]) = byValue(values);
typedef int& (*Place)(int*);
struct Row {
  int values[4];
  __device__ int& at(int i) { return values[i]; }
};
__device__ int& second(int* p) { return p[1]; }
__device__ int value(int* p) { return p[2]; }
__device__ Place table[2];

__global__ void pointers(int* values, Row* row, int* out) {
  Place found = second;
  found(values) = 9;
  out[0] = found(values) + 1;
  int& (Row::*member)(int) = &Row::at;
  (row->*member)(2) += 4;
  (table[values[0] & 1])(values)++;
  Place lambda = [](int* p) -> int& { return p[2]; };
  lambda(values) = 3;
  int& bound = found(values);
  int* address = &found(values);
  *address = bound;
  int (*byValue)(int*) = value;
  out[3] = byValue(values);
}

template <Place F>
__global__ void ofTemplate(int* values) {
  F(values) = 2;
}
template __global__ void ofTemplate<second>(int*);
