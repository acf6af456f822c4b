// One pattern, two meanings: with a pointer the subscript is an access, with a class it is a call. The wrapper
// takes both; the table says which instantiations it is for.
// expect: CUI_ACCESS(#, c[i])
struct Reversed {
  float* data;
  __device__ float& operator[](int i) const { return data[31 - i]; }
};
template <class C>
__global__ void fill(C c) {
  int i = threadIdx.x;
  c[i] = 1;
}
void run(float* p) {
  fill<<<1, 32>>>(p);
  fill<<<1, 32>>>(Reversed{p});
}
