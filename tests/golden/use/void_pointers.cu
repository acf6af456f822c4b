// Pointers to void with which is calculated in bytes, as GNU's compilers and nvcc do; Clang refuses that in C++.
// expect: CUI_ACCESS(#, *(int*)(p + n * 4)) = CUI_ACCESS(#, *(const int*)(q - n))
// expect: CUI_ACCESS(#, *static_cast<const T*>(q + n + 4))
// expect: CUI_ACCESS(#, ((float*)(CUI_ACCESS(#, h->base) + CUI_ACCESS(#, h->offset)))[threadIdx.x]) = 1;
// expect: CUI_ACCESS(#, h->base) += CUI_ACCESS(#, h->offset);
// expect: #define AT(type, pointer, bytes) CUI_MACRO_ACCESS(#, *(type*)((pointer) + (bytes)))
// expect: AT(int, CUI_ACCESS(#, h->base), CUI_ACCESS(#, h->offset)) = 5;
// expect: CUI_API(#, cudaMemset)(p + 4, 0, 4);
// expect: (p + 8, p - 4, n, h));
// expect-not: skipped
struct Holder {
  void* base;
  int offset;
};
#define AT(type, pointer, bytes) *(type*)((pointer) + (bytes))

template <class T>
__global__ void k(void* p, const void* q, int n, Holder* h) {
  *(int*)(p + n * 4) = *(const int*)(q - n);
  const T last = *static_cast<const T*>(q + n + 4);
  p += 4;
  *(T*)p = last;
  ((float*)(h->base + h->offset))[threadIdx.x] = 1;
  h->base += h->offset;
  AT(int, h->base, h->offset) = 5;
  AT(int, p, n) = 6;
}
void run(void* p, int n, Holder* h) {
  cudaMemset(p + 4, 0, 4);
  k<int><<<1, 1>>>(p + 8, p - 4, n, h);
}
#undef AT
