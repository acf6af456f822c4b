// Several accesses in one body, over several lines.
// expect: #define SWAP(a, i, j) do { float t = CUI_MACRO_ACCESS(#, a[i]); CUI_MACRO_ACCESS(#, a[i]) =
// expect:   CUI_MACRO_ACCESS(#, a[j]); CUI_MACRO_ACCESS(#, a[j]) = t; } while (0)
#define SWAP(a, i, j) do { float t = a[i]; a[i] = \
  a[j]; a[j] = t; } while (0)
__global__ void severalAccesses(float* p) {
  SWAP(p, 0, 1);
  SWAP(p,
       2,
       3);
}
#undef SWAP
