// NDEBUG from the source itself: libcu++ declares __assert_fail for both sides then.
// nvcc: no, NDEBUG would be the other cases' too
// cpu: no, the library is not there
// expect: const int old = CUI_ACCESS(#, p[1]);
// expect-not: Clang rejects
#define NDEBUG
#include <cuda/atomic>
__global__ void k(int* p) {
  const int old = p[1];
  cuda::atomic_ref<int>(p[0]).fetch_add(old);
}
