// Blocks of memory: the function's name is wrapped, once for what it writes and once for what it reads. What lies in a
// private variable is not recorded.
// expect: CUI_COPY_TO(#, CUI_COPY_FROM(#, memcpy))(a + 8, a, 16);
// expect: CUI_COPY_TO(#, memset)(CUI_ACCESS(#, where[0]), 0, n);
// expect: CUI_COPY_FROM(#, memcpy)(&local, p, sizeof local);
// expect: memcpy(&other, &local, sizeof local);
// expect: return CUI_COPY_TO(#, CUI_COPY_FROM(#, std::memcpy))(to, from, bytes);
// expect: CUI_MACRO_COPY_TO(#, CUI_MACRO_COPY_FROM(#, memcpy))((to), (from), sizeof *(to))
// expect: store, generic, instrumented, 16, 0, "blocks", "memcpy(a + 8, a, 16)", "a", "8", "float"
// expect: load, generic, instrumented, 16, 0, "blocks", "memcpy(a + 8, a, 16)", "a", "", "float"
#include <cstring>
#define ASSIGN(to, from) memcpy((to), (from), sizeof *(to))
constexpr int bytesOfHost = 32;
__device__ void* move(void* to, const void* from, size_t bytes) { return std::memcpy(to, from, bytes); }
template <class T>
__device__ T read(const void* p) {
  T local, other;
  memcpy(&local, p, sizeof local);
  memcpy(&other, &local, sizeof local);
  return other;
}
__global__ void blocks(float* a, char** where, int n) {
  memcpy(a + 8, a, 16);
  memset(where[0], 0, n);
  move(a, a + 4, bytesOfHost);
  memcpy(a, where[1], bytesOfHost);
  ASSIGN(a, a + 1);
  ASSIGN(a + 2, a + 3);
  a[0] = read<float>(where[2]) + read<int>(where[3]);
}
