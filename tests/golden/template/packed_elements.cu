// Elements that are in a packed structure in some instantiations only, or that need no alignment in some.
// expect: CUI_PACKED(#, (p->v[i]), p->v[i]) = CUI_ACCESS(#, x[i]);
// expect: CUI_PACKED(#, (cell->values[i]), cell->values[i]) += 1;
// expect: return CUI_PACKED(#, (values[i]), values[i]);
// expect: "s[0].v[1]", "s", "0, 1", "int", "", "S=Packed * | S=Handle", "in a packed structure, at a place that cannot be evaluated twice"
// expect: load, generic, instrumented, 0, 0, "Cell::at", "values[i]"
template <class T> struct __attribute__((packed)) Cell {
  char tag;
  T values[3];
  __device__ T at(int i) const { return values[i]; }
};
struct __attribute__((packed)) Packed {
  char tag;
  int v[4];
};
struct Plain {
  int v[4];
};
struct Handle {
  Plain* plain;
  __device__ Plain& operator[](int i) { return plain[i]; }
};
template <class S> __global__ void either(S* p, const int* x) {
  const int i = threadIdx.x;
  p->v[i] = x[i];
}
template <class T> __global__ void cells(Cell<T>* cell, T* out) {
  const int i = threadIdx.x;
  cell->values[i] += 1;
  out[i] = cell->at(i);
}
template <class S> __global__ void subscripted(S s) { s[0].v[1] = 2; }
template __global__ void either(Packed*, const int*);
template __global__ void either(Plain*, const int*);
template __global__ void cells(Cell<int>*, int*);
template __global__ void cells(Cell<char>*, char*);
template __global__ void cells(Cell<double>*, double*);
template __global__ void subscripted(Packed*);
template __global__ void subscripted(Handle);
