// Methods of a library's class called through a pointer: an access of the object, as with `.`. The library's body is not
// instrumented, a method of the user's is, and the same pointer leads to both.
// standard: 17 20
// expect: CUI_POINTER(#, ready)->store(1);
// expect: CUI_ACCESS(#, data[0]) = CUI_POINTER(#, (ready + 1))->load();
// expect: CUI_POINTER(#, CUI_ACCESS(#, s->next))->fetch_add(1);
// expect: CUI_POINTER(#, counter)->fetch_or(3);
// expect: s->read();
// expect: own->fetch_add(2);
// expect: atomic, generic, instrumented, 4, 0, "methods", "ready->store(1)", "ready"
// expect: atomic, generic, instrumented, 4, 0, "methods", "s->next->fetch_add(1)", "s->next"
#include <cuda/atomic>
using Counter = cuda::atomic<int, cuda::thread_scope_device>;
struct Links {
  Counter* next;
  int value;
  __device__ int read() const { return value; }
};
template <class T> __device__ void count(T* counter) { counter->fetch_or(3); }
__global__ void methods(Counter* ready, int* data, Links* s) {
  ready->store(1);
  data[0] = (ready + 1)->load();
  s->next->fetch_add(1);
  count(ready);
  data[1] = s->read();
  Counter mine;
  Counter* own = &mine;
  own->fetch_add(2);
}
