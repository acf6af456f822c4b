// Host code of a template that calls what is declared for the device, which nvcc takes (it warns). The launch that follows has its
// kernel, and what is called is the device's.
// expect: __device__ Scale(float* f) : factor(CUI_ACCESS(#, f[0])) { CUI_INITIALISED(#, this->factor);}
// expect: CUI_LAUNCH(#, apply<kind> CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(p, scale));
// expect-not: Clang rejects
// cpu: no, Clang has the last word there
template <int kind> struct Scale {
  __device__ Scale(float* f) : factor(f[0]) {}
  float factor;
};
template <int kind> __global__ void apply(float* p, Scale<kind> scale) { p[threadIdx.x] *= scale.factor; }
template <int kind> void run(float* p) {
  const Scale<kind> scale(p);
  apply<kind><<<1, 32>>>(p, scale);
}
void both(float* p) { run<0>(p); run<1>(p); }
