// Dynamic shared memory in a program that has a macro called as a namespace of the forms.
// expect: extern __shared__ float plain[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(#, plain);
// expect: extern __shared__ float tile[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(#, tile);
#define backend 13
__global__ void plainKernel(float* out) {
  extern __shared__ float plain[];
  plain[threadIdx.x] = backend;
  out[threadIdx.x] = plain[threadIdx.x];
}
template <class T>
__global__ void templateKernel(T* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = backend;
  out[threadIdx.x] = tile[threadIdx.x];
}
void launch(float* out) {
  plainKernel<<<1, 32, 128>>>(out);
  templateKernel<<<1, 32, 128>>>(out);
}
#undef backend
