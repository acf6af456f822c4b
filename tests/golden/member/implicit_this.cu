// Members named without this-> are accesses through it. A kernel's by-value functor is private memory, but
// the method cannot know.
// expect: CUI_ACCESS(#, CUI_ACCESS(#, data)[i]) = CUI_ACCESS(#, scale) * CUI_ACCESS(#, this->offset);
// expect: "this->scale"
struct Scaler {
  float* data;
  float scale, offset;
  __device__ void apply(int i) { data[i] = scale * this->offset; }
  __device__ void operator()(int i) const { data[i] += scale; }
};
__global__ void implicitThis(Scaler* s, Scaler functor) {
  s->apply(threadIdx.x);
  functor(threadIdx.x);
}
