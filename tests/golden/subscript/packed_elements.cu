// Elements of arrays in packed structures, and members of such members: the access is a copy of the text, because a
// reference would be taken for aligned; the text itself gives the address, and records what is read on the way.
// expect: CUI_PACKED(#, (p->b[i]), p->b[i]) = CUI_PACKED(#, (p->m[1][i]), p->m[1][i]) + CUI_PACKED(#, (2[p->b]), 2[p->b]);
// expect: CUI_PACKED(#, (p[i].b[1]), p[i].b[1]) += 2;
// expect: ++CUI_PACKED(#, (s[2].b[i]), s[2].b[i]);
// expect: CUI_ACCESS(#, p->bytes[i]) = CUI_ACCESS(#, p->bytes[i + 1]);
// expect: CUI_PACKED(#, (p->b[q->b[index[i]]]), p->b[CUI_PACKED(#, (q->b[index[i]]), q->b[CUI_ACCESS(#, index[i])])]) = 1;
// expect: CUI_PACKED(#, (o->one.x), o->one.x) = CUI_PACKED(#, (o->parts[i].y), o->parts[i].y);
// expect: CUI_PACKED(#, (o->parts[i].z[1]), o->parts[i].z[1]) -= CUI_PACKED(#, (o->inner.b[i]), o->inner.b[i]);
// expect: CUI_PACKED(#, (o->vector.y), o->vector.y) = CUI_PACKED(#, (r->wide[i]), r->wide[i]);
// expect: Part copy = CUI_PACKED(#, (o->parts[i]), o->parts[i]);
// expect: const int* at = p->b;
// expect: CUI_ACCESS(#, *(CUI_PACKED(#, (p->next[i]), p->next[i]))) = at == &p->b[i] ? CUI_PACKED(#, (c->b[i]), c->b[i]) : sizeof(p->b[0]);
// expect: return CUI_PACKED(#, (b[i]), b[i]) + CUI_PACKED(#, (this->m[i][0]), this->m[i][0]);
// expect: CUI_PACKED(#, (p->b[i]), p->b[i]) = 0;
// expect: CUI_PACKED(#, (p->tick[i]), p->tick[i]);
// expect: rmw, generic, instrumented, 4, 0, "elements", "p[i].b[1]", "p", "i, 1", "int"
#include <cuda_runtime.h>
struct __attribute__((packed)) Packed {
  char tag;
  int b[4];
  short m[2][3];
  char bytes[5];
  int* next[2];
  volatile int tick[2];
  __host__ __device__ int sum(int i) const { return b[i] + this->m[i][0]; }
};
struct Part { int x; short y; int z[2]; };
struct Vector { float x, y; };
struct __attribute__((packed)) Outer {
  char tag;
  Part parts[3], one;
  Packed inner;
  Vector vector;
};
#pragma pack(push, 1)
struct Pushed {
  char tag;
  double wide[2];
};
#pragma pack(pop)
__global__ void elements(Packed* p, Packed* q, const Packed* c, Outer* o, Pushed* r, const int* index) {
  __shared__ Packed s[3];
  const int i = threadIdx.x;
  p->b[i] = p->m[1][i] + 2[p->b];
  p[i].b[1] += 2;
  ++s[2].b[i];
  p->bytes[i] = p->bytes[i + 1];
  p->b[q->b[index[i]]] = 1;
  o->one.x = o->parts[i].y;
  o->parts[i].z[1] -= o->inner.b[i];
  o->vector.y = r->wide[i];
  Part copy = o->parts[i];
  const int* at = p->b;
  *(p->next[i]) = at == &p->b[i] ? c->b[i] : sizeof(p->b[0]);
  p->tick[i];
  Packed own = *p;
  own.b[i] = copy.x + p->sum(i);
}
__host__ __device__ void bothSides(Packed* p, Outer* o, int i) {
  p->b[i] = 0;
  o->one.x += o->parts[i].y++;
  Part copy = o->parts[i];
  o->one = copy;
}
