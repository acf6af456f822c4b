// Functions of the program's that are called as the runtime's: those that a template calls are known when it is instantiated.
// expect: { copied = n; cudaMemcpy(to.data, *this); }
// expect: check(CUI_API(#, cudaMemcpy)(to, from, bytes, cudaMemcpyDefault));
// expect: cudaMemset(buffer, value); }
// expect: CUI_API(#, cudaMemset)(p, 0, bytes);
// expect: { cudaFree(all); }
// expect: { CUI_API(#, cudaMalloc)(p, sizeof(T)); }
// expect: "a function of the program's in other instantiations"
// expect-not: cudaFree)
// nvcc: no, in a namespace its functions hide those of the runtime
#include <cuda_runtime.h>
struct Memory { void* data; int n; };
void check(cudaError_t error);
void cudaMemcpy(Memory const& to, Memory const& from);
template <class T> struct Device;
template <class T> void cudaMemcpy(T* to, Device<T> const& from);
void cudaMemset(Memory& memory, int value);
template <class T> struct Device : Memory {
  int copied;
  void to(Memory& to) { copied = n; cudaMemcpy(to.data, *this); }
};
template <class T> void cudaMemcpy(T* to, Device<T> const& from) { }
template <class T> void cudaMemcpy(void* to, Device<T> const& from) { }
void copy(void* to, void* from, int bytes) { check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault)); }
template <class T> void set(T& buffer, int value) { cudaMemset(buffer, value); }
void set(int* p, int bytes) { cudaMemset(p, 0, bytes); }
namespace own {
struct Several {};
void cudaFree(Several&) {}
}
template <class T> void release(T& all) { cudaFree(all); }
template <class T> void obtain(T** p) { cudaMalloc(p, sizeof(T)); }
template <class T> void released(T all) { cudaFree(all); }
void all(Device<float>& device, Memory& memory, own::Several& several, int* p) {
  device.to(memory);
  set(memory, 0);
  release(several);
  obtain(&p);
  released(several);
  released(p);
}
