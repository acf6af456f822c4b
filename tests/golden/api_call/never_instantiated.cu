// Calls in a template that nothing instantiates, with an argument that is wrong in all of its instantiations: nvcc does not look at them
// before, nor does it at what they become.
// expect: return CUI_API(#, cudaMemcpy)(p + offset, &value, sizeof(T), cudaMemcpyHostToDevice);
template <class T> struct Item {
  const unsigned char* p;
  cudaError_t set(int offset, const T& value) { return cudaMemcpy(p + offset, &value, sizeof(T), cudaMemcpyHostToDevice); }
  __device__ T get() const { return reinterpret_cast<const T*>(p)[0]; }
};
__global__ void read(Item<int> item, int* a) { a[0] = item.get(); }
