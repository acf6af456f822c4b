// A reference that a condition declares: the condition reads it, and no expression does. Recorded where it is bound.
// expect: while (const int& next = CUI_ACCESS(#, data[0])) {
// expect: if (float& value = CUI_ACCESS(
// expect: , out[0])) CUI_ACCESS(
// expect: switch (int& kind = CUI_ACCESS(
// expect: if (auto& found = CUI_ACCESS(
// expect: , at(lists, CUI_ACCESS(
// expect: while (T& item = CUI_ACCESS(
// expect: if (const double& converted = CUI_ACCESS(
// expect: if (Flag& flag = flags[1])
// expect-not: read by the condition
struct Flag {
  int set;
  __device__ operator bool() const { return set != 0; }
};

__device__ int*& at(int** lists, int i) { return lists[i]; }

__global__ void condition(int* data, float* out, int** lists, Flag* flags) {
  while (const int& next = data[0]) {
    data[1] = next;
    data[0] = 0;
  }
  if (float& value = out[0]) value += 1.0f;
  switch (int& kind = data[2]) {
    default:
      kind = 1;
  }
  if (auto& found = at(lists, data[3])) *found = 2;
  if (const double& converted = out[1]) data[4] = static_cast<int>(converted);  // a copy of its own
  if (Flag& flag = flags[1]) flag.set = 0;                                       // the operator reads it
}

template <class T>
__global__ void each(T* items) {
  while (T& item = *items++) item = T();
}
template __global__ void each(int*);
