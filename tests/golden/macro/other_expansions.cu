// A macro's text that is an access in some expansions and in others only names an object: on their lines nothing
// is recorded. On a line with both each use is edited, in all of that macro's.
// expect: {#, 30, CUI_NO_SITE}, {#, 31, CUI_NO_SITE}, {#, 32, CUI_NO_SITE}
// expect: {#, 43, CUI_NO_SITE}, {#, 44, CUI_NO_SITE}
// expect: {#, 27, CUI_NO_SITE}, {#, 28, CUI_NO_SITE}
// expect: #define FIELD(o, f) CUI_MACRO_ACCESS(#, o->f)
// expect: CUI_ACCESS(#, FIELD(p, values)[1]) = 2;
// expect: CUI_ACCESS(#, FIELD(p, v).y) = 3;
// expect: #define AT(i) CUI_MACRO_ACCESS(#, q[i])
// expect: #define NEXT(i) q[i]
// expect: CUI_ACCESS(#, NEXT(4)) = take(NEXT(5));
// expect: #define ENDS(o) (CUI_MACRO_ACCESS(#, PART(o, n)) + CUI_MACRO_ACCESS(#, PART(o, v).x))
struct Part {
  int n;
  short values[4];
  float4 v;
};
#define FIELD(o, f) o->f
#define PART(o, f) o->f
#define AT(i) q[i]
#define OWN(a, i) a[i]
#define NEXT(i) q[i]
#define ENDS(o) (PART(o, n) + PART(o, v).x)
__device__ int take(int& r) { return r; }
__global__ void expansions(Part* p, int* q) {
  FIELD(p, n) = 1;
  FIELD(p, values)[1] = 2;
  FIELD(p, v).y = 3;
  AT(1) = 4;
  atomicAdd(&AT(2), 1);
  int& r = AT(3);
  r = take(AT(0));
  int own[4];
  OWN(own, 1) = 5;
  OWN(q, 2) = OWN(own, 1);
  OWN(q, 3) = 6;
  NEXT(4) = take(NEXT(5));
  NEXT(6) = 0;
  q[7] = ENDS(p);
}
template <class T> __global__ void patterns(T* q) {
  AT(1) = 4;
  T* a = &AT(2);
  *a = take(AT(3));
}
template __global__ void patterns(int*);
