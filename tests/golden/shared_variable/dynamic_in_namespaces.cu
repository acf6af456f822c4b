// For the CPU backend, a dynamic array of a function in a named namespace says which it is: a template's instantiations have no
// other name for it.
// expect: extern __shared__ int line[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC_IN(#, 5outer, line);
// expect: extern __shared__ int deep[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC_IN(#, 5outer12_GLOBAL__N_15inner, deep);
// expect: extern __shared__ int unnamed[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(#, unnamed);
// expect: extern __shared__ int spelled[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(#, spelled);
// rewrite: --backend=cpu
// nvcc: no, it is for the CPU backend
#define DECLARE extern __shared__ int spelled[]; spelled[0] = 1
namespace outer {
template <class T>
__global__ void k(T* out) {
  extern __shared__ int line[];
  out[threadIdx.x] = line[threadIdx.x];
}
namespace {
inline namespace inner {
template <class T>
struct Held {
  __device__ static int get() {
    extern __shared__ int deep[];
    return deep[threadIdx.x];
  }
};
}  // namespace inner
}  // namespace
template <class T>
__global__ void declared(T* out) {
  DECLARE;
  *out = Held<T>::get();
}
}  // namespace outer
namespace {
template <class T>
__global__ void k(T* out) {
  extern __shared__ int unnamed[];
  out[threadIdx.x] = unnamed[threadIdx.x];
}
}  // namespace
void run(float* out) {
  outer::k<<<1, 32, 128>>>(out);
  outer::declared<<<1, 32, 128>>>(out);
  k<<<1, 32, 128>>>(out);
}
