// A bit-field has no address, so the structure is wrapped: recorded is its storage unit, which a store also reads.
// expect: CUI_ACCESS(#, s[i].whole) = CUI_FIELD(#, 4, 0, s[i]).part;
// expect: CUI_FIELD(#, 4, 0, s[i]).part = 3;
// expect: CUI_ARROW_FIELD(#, 4, 4, p)->high += CUI_ARROW_FIELD(#, 1, 8, p)->letter;
// expect: CUI_FIELD(#, 8, 16, p->in).wide = 1;
// expect: CUI_ARROW_FIELD(#, 4, 4, CUI_ACCESS(#, where[i]))->anonymous = 1;
// expect: load, generic, instrumented, 4, 0, "bitfields", "s[i].part", "s", "i"
// expect: rmw, generic, instrumented, 4, 0, "bitfields", "s[i].part", "s", "i"
// expect: return CUI_ARROW_FIELD(#, 8, 0, (CUI_ACCESS(#, t.nodes) + i))->count + CUI_FIELD(#, 8, 0, CUI_ACCESS(#, t.nodes)[i]).offset;
// expect: load, generic, instrumented, 8, 0, "Tree::count", "(t.nodes + i)->count"
// expect: CUI_ACCESS(#, s[i].whole) = CUI_ARROW_FIELD(#, 4, 0, handle)->part + CUI_ARROW_FIELD(#, 4, 0, handles[i])->rest;
struct Bits {
  unsigned part : 3, rest : 29;
  unsigned whole;
};
struct More {
  int first;
  unsigned low : 16, high : 16;
  char letter : 5;
  struct { long long pad0, pad1; long long wide : 40; } in;
};
struct Nested {
  int first;
  struct { unsigned anonymous : 2; };
};
__global__ void bitfields(Bits* s, More* p, Nested** where) {
  int i = threadIdx.x;
  s[i].whole = s[i].part;
  s[i].part = 3;
  p->high += p->letter;
  p->in.wide = 1;
  where[i]->anonymous = 1;
}

// Behind a handle's own `->`, which the form calls.
struct Handle {
  Bits* bits;
  __device__ Bits* operator->() const { return bits; }
};
struct Walker {
  Bits* next;
  __device__ Bits* operator->() { return next++; }
};
__global__ void handled(Bits* s, Handle handle, Handle* handles) {
  int i = threadIdx.x;
  s[i].whole = handle->part + handles[i]->rest;
  Walker walker = {s};
  s[i].whole += walker->part + walker->rest;
}

// Of a class template, and so only in its instantiations: in all of them.
template <class T> struct Tree {
  struct Node {
    union {
      struct { unsigned long long offset : 48, count : 16; };
      unsigned long long both;
    };
    T box;
  };
  Node* nodes;
  static __device__ unsigned count(const Tree& t, int i) { return (t.nodes + i)->count + t.nodes[i].offset; }
};
template <class T> __global__ void tree(Tree<T>* t, unsigned* counts) { counts[0] = Tree<T>::count(*t, 1); }
template __global__ void tree(Tree<float>*, unsigned*);
template __global__ void tree(Tree<double>*, unsigned*);
