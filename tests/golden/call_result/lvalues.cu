// A function that returns a reference to memory: using the result is the access.
// expect: CUI_ACCESS(#, at(p, i)) = CUI_ACCESS(#, v[i]);
// expect: return p[i];
// expect: CUI_ACCESS(#, v.front()) += 1;
// expect: CUI_ACCESS(#, ofTable(i)) = CUI_ACCESS(#, ofTable(3));
struct View {
  float* data;
  __device__ float& operator[](int i) const { return *(data + i); }
  __device__ float& front() const { return data[0]; }
};
__device__ float& at(float* p, int i) { return p[i]; }
// To an object of its own, whatever it is given.
__device__ float table[32];
__device__ float& ofTable(const int& i) { return table[i]; }
__global__ void lvalues(float* p, View v) {
  int i = threadIdx.x;
  at(p, i) = v[i];
  v.front() += 1;
  ofTable(i) = ofTable(3);
}
