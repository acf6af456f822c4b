// Functors, virtual calls, function pointers and recursion.
// expect: CUI_ACCESS(#, p[CUI_ACCESS(#, offset) + i])
struct Add {
  int offset;
  __device__ float operator()(const float* p, int i) const { return p[offset + i]; }
};
struct Base {
  __device__ virtual float get(const float* p) const { return p[0]; }
};
struct Derived : Base {
  __device__ float get(const float* p) const override { return p[1] + Base::get(p); }
};
template <class F>
__device__ float apply(F f, const float* p) { return f(p, 1); }
__device__ int depth(const int* p, int n) { return n ? depth(p, p[n]) : 0; }
__device__ float third(const float* p, int i) { return p[3]; }
__global__ void functors(float* p, int* q) {
  float (*f)(const float*, int) = third;
  Derived d;
  const Base& b = d;
  p[0] = apply(Add{2}, p) + f(p, 0) + b.get(p);
  q[0] = depth(q, 3);
}
