// Dependent size and type: announced in each instantiation with its own size.
// expect: __shared__ T tile[N][N + 1]; CUI_SHARED(#, tile);
// expect: extern __shared__ unsigned char raw[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(#, raw);
// expect: CUI_ACCESS(#, tile[i][0]) = CUI_ACCESS(#, in[i]);
template <class T, int N>
__global__ void templated(T* in) {
  __shared__ T tile[N][N + 1];
  extern __shared__ unsigned char raw[];
  T* typed = reinterpret_cast<T*>(raw);
  int i = threadIdx.x;
  tile[i][0] = in[i];
  typed[i] = tile[0][i];
}
void run(float* f, double* d) {
  templated<float, 8><<<1, 8, 64>>>(f);
  templated<double, 4><<<1, 4, 64>>>(d);
}
