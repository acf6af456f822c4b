// Members that may allocate: after their statement the container is asked again, where its name is plain.
// compile: -isystem library
// nvcc: no, the library's stand-in is a folder of this one
// expect: d.resize(n); CUI_VECTOR(#, d);
// expect: d = h; CUI_VECTOR(#, d);
// expect: data_.resize(n); CUI_VECTOR(#, data_);
// expect: this->data_.push_back(1); CUI_VECTOR(#, this->data_);
// expect: state->data_ = h; CUI_VECTOR(#, state->data_);
// expect: global.resize(n) /* a comment */; CUI_VECTOR(#, global);
// expect: : data_(n), h(0) { CUI_VECTOR(#, this->data_);
// expect: v.resize(7); CUI_VECTOR(#, v);
#include <vectors.h>

thrust::device_vector<int> global;

struct State {
  explicit State(size_t n) : data_(n), h(0) {}
  State() try : data_(3), h(0) {
  } catch (...) {
  }
  void grow(size_t n) {
    data_.resize(n);
    this->data_.push_back(1);
  }
  thrust::device_vector<float> data_;
  int h;
};

struct Handle {
  State* operator->() { return state; }
  State* state;
};
State* next();

void change(thrust::device_vector<float>& d, const thrust::host_vector<float>& h, State* state, size_t n) {
  d.resize(n);
  d = h;
  state->data_ = h;
  global.resize(n) /* a comment */;
  switch (n) {
    case 1: {
      d.resize(1);
      break;
    }
  }
}

template <class V>
void generic(V& v) {
  v.resize(7);
}
struct Other {
  void resize(int) {}
};
template void generic(thrust::device_vector<char>&);
template void generic(Other&);

// No statement may follow, or the name does something, or nothing is allocated.
void silent(thrust::device_vector<float>& e, const thrust::host_vector<float>& h, State* states, Handle handle, int i) {
  if (i) e.resize(1);
  for (e.resize(2); i < 2; e.push_back(1)) ++i;
  for (; i < 3; ++i) e = h;
  if (i == 3)
    e.resize(4);
  else
    e.resize(5);
  e.push_back(1), e.push_back(2);
  next()->data_.resize(1);
  handle->data_.resize(1);
  states[i++].data_.resize(1);
  e.clear();
  thrust::device_vector<float>& f = e;
  f.swap(e);
#pragma omp critical
  e.push_back(3);
  i = ({ ++i; e.resize(2); 3; });
}
#define GROW(v) v.resize(9)
#define GROWN(v) v.resize(9);
void inMacros(thrust::device_vector<float>& g) {
  GROW(g);
  GROWN(g)
}
constexpr int constant(thrust::device_vector<float>* c) {
  if (c) c->resize(1);
  return 1;
}
__host__ __device__ inline void both(thrust::device_vector<float>& w, bool host) {
#ifndef __CUDA_ARCH__
  if (host) { w.clear(); }
#endif
}
// expect-not: CUI_VECTOR(#, e)
// expect-not: CUI_VECTOR(#, next
// expect-not: CUI_VECTOR(#, handle
// expect-not: CUI_VECTOR(#, states
// expect-not: CUI_VECTOR(#, f)
// expect-not: CUI_VECTOR(#, g)
// expect-not: CUI_VECTOR(#, c)
