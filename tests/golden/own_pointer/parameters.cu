// A member of reference type that a template names without its object, and of which members and functions are used: these say
// nothing of what the object has. Where it is no reference in some instantiations, nothing is recorded of the pointer in any.
// expect: return CUI_ACCESS(#, CUI_THIS_FIELD(#, 8, 0, params).scale) * CUI_THIS_FIELD(#, 8, 0, params).twice(); }
// expect: return CUI_ACCESS(#, held); }
// expect: "Either::get", "held", "this", "", "int", "", "T=int &", "a pointer that its object has in some instantiations"
struct Params {
  int scale;
  __device__ int twice() const { return 2 * scale; }
};
template <class T> struct Epilogue {
  const Params& params;
  T value;
  __device__ int get() const { return params.scale * params.twice(); }
};
template <class T> struct Either {
  T held;
  __device__ int get() const { return held; }
};
__global__ void k(Epilogue<int>* e, Epilogue<float>* f, Either<int&>* r, Either<int>* v, int* out) {
  out[0] = e->get() + f->get() + r->get() + v->get();
}
