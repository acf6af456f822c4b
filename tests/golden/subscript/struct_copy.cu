// Class elements have no load node: initialisation, assignment, arguments by value and by reference,
// operators and methods on an element.
// expect: Complex x = CUI_ACCESS(#, a[i]);
// expect: CUI_ACCESS(#, b[i]) = x;
// expect: CUI_ACCESS(#, b[i]) = CUI_ACCESS(#, a[i + 1]);
// expect: norm(CUI_ACCESS(#, a[i]))
struct Complex {
  float re, im;
  __device__ Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
  __device__ float real() const { return re; }
};
__device__ float norm(Complex c) { return c.re * c.re + c.im * c.im; }
__global__ void structCopy(Complex* a, Complex* b, float* n) {
  int i = threadIdx.x;
  Complex x = a[i];
  b[i] = x;
  b[i] = a[i + 1];
  x = a[i] + b[i];
  n[i] = norm(a[i]) + x.re;
  n[i] += a[i].real();
}
