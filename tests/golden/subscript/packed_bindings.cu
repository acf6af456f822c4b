// Names of a structured binding that stand for members of a packed structure, or for elements of an array in one: no
// reference binds to them, which GCC refused, for nvcc as well; the file was left uninstrumented.
// standard: 17 20
// expect: CUI_PACKED(#, (value), value) = 3;
// expect: return CUI_PACKED(#, (value), value) + CUI_PACKED(#, (half), half);
// expect: CUI_ACCESS(#, second) += 2;
// expect: CUI_ACCESS(#, x) = CUI_ACCESS(#, y);
// expect: = copied + own;
// expect: CUI_PACKED(#, (value), value)++;
struct __attribute__((packed)) Packed {
  char tag;
  int value;
  short half;
};
#pragma pack(push, 1)
struct Array {
  char tag;
  double wide;
  int few[2];
};
#pragma pack(pop)
struct Pair {
  int x, y;
};

__host__ __device__ int members(Packed* p) {
  auto& [tag, value, half] = *p;
  value = 3;
  return value + half;
}

__global__ void bindings(Packed* p, Array* a, Pair* pairs, int* out) {
  auto& [tag, wide, few] = *a;
  wide = 2;
  auto& [x, y] = pairs[1];
  x = y;
  auto [one, copied, other] = *p;
  Packed kept = p[1];
  auto& [first, own, last] = kept;
  *out = copied + own;
}

__device__ void elements(Array* a) {
  auto& [first, second] = a->few;
  second += 2;
}

template <class T>
__device__ void ofTemplate(T* p) {
  auto& [tag, value, half] = *p;
  value++;
}
__global__ void instantiates(Packed* p) { ofTemplate(p); }
