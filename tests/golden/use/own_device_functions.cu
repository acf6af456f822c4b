// Functions of the program's by the name and with the parameters of some of the toolkit's, which nvcc has only declared and Clang's
// headers have defined: nothing is left out, neither they nor what calls them.
// cpu: no, the backend's own are functions of that kind
// expect: CUI_ACCESS(#, *whole) = static_cast<double>(static_cast<int>(x));
// expect: CUI_ACCESS(#, p[0]) = fmax(CUI_ACCESS(#, p[1]), fmin(CUI_ACCESS(#, p[2]), 1.0)) + __clz(3);
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
__global__ void k(double* p) {
  p[0] = fmax(p[1], fmin(p[2], 1.0)) + __clz(3);
  p[3] = modf(p[4], &p[5]);
}
