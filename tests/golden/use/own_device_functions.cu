// Functions of the program's by the name and with the parameters of some of the toolkit's, which nvcc has only declared and Clang's
// headers have defined: nothing is left out, neither they, for the device or for both sides, nor what calls them.
// cpu: no, the backend's own are functions of that kind
// expect: CUI_ACCESS(#, *whole) = static_cast<double>(static_cast<int>(x));
// expect: CUI_ACCESS(#, p[0]) = fmax(CUI_ACCESS(#, p[1]), fmin(CUI_ACCESS(#, p[2]), 1.0)) + __clz(3);
// expect: CUI_ACCESS(#, f[0]) = fminf(CUI_ACCESS(#, f[1]), CUI_ACCESS(#, f[2])) + __popc(CUI_ACCESS(#, u[0]));
// expect: return CUI_ACCESS(#, u[__popc(CUI_ACCESS(#, u[1]))]);
// expect-not: Clang rejects
__device__ inline double fmax(double a, double b) {
  return a > b ? a : b;
}
__device__ inline double fmin(double a, double b) {
  return a < b ? a : b;
}
__device__ inline int __clz(int x) {
  return x == 0 ? 32 : 31;
}
__device__ inline double modf(double x, double* whole) {
  *whole = static_cast<double>(static_cast<int>(x));
  return x - *whole;
}
__host__ __device__ inline float fminf(float a, float b) {
  return a < b ? a : b;
}
__host__ __device__ inline int __popc(unsigned int bits) {
  int count = 0;
  for (; bits; bits &= bits - 1) ++count;
  return count;
}
__global__ void k(double* p) {
  p[0] = fmax(p[1], fmin(p[2], 1.0)) + __clz(3);
  p[3] = modf(p[4], &p[5]);
}
__host__ __device__ unsigned int counted(const unsigned int* u) {
  return u[__popc(u[1])];
}
__global__ void both(float* f, const unsigned int* u) {
  f[0] = fminf(f[1], f[2]) + __popc(u[0]);
  f[3] = counted(u);
}
void run(float* f, const unsigned int* u) {
  if (__popc(5u) == 2) both<<<1, 32>>>(f, u);
}
