// Objects that are atomic themselves, and references that make them so.
// standard: 17 20
// expect: CUI_ACCESS(#, counter).fetch_add(1)
// expect: CUI_ACCESS(#, counters[i])++;
// expect: cuda::atomic_ref<int, cuda::thread_scope_device>(CUI_ACCESS(#, plain[i])).fetch_max(7);
// expect: atomic, generic, instrumented, 4, 0, "atomicObjects", "plain[i]", "plain", "i"
// expect: atomic, generic, instrumented, 4, 0, "atomicObjects", "counters[i]"
#include <cuda/atomic>
__global__ void atomicObjects(cuda::atomic<int, cuda::thread_scope_device>& counter, cuda::std::atomic<int>* counters,
                              int* plain) {
  int i = threadIdx.x;
  plain[i] = counter.fetch_add(1);
  counters[i]++;
  cuda::atomic_ref<int, cuda::thread_scope_device>(plain[i]).fetch_max(7);
}
