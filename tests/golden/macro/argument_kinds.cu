// What a macro reads in one place and writes in another is a site of its own in each of them: in the macro's text,
// if that can be told apart in all its uses.
// compile: -Werror
// expect: { auto t = CUI_MACRO_ACCESS(#, x); CUI_MACRO_ACCESS(#, x) = CUI_MACRO_ACCESS(#, y); CUI_MACRO_ACCESS(#, y) = t; }
// expect: if (CUI_MACRO_ACCESS(#, x) > CUI_MACRO_ACCESS(#, y)) SWAP(x, y)
// expect: SWAP(p[0], p[1]);
// expect: SWAP(own, p[CUI_ACCESS(#, index[1])]);
// expect: CUI_ACCESS(#, p[4]) = TOLD(CUI_ACCESS(#, p[5]));
// expect: GROW(CUI_ACCESS(#, p[6]));
#define SWAP(x, y) { auto t = x; x = y; y = t; }
#define ORDER(x, y) if (x > y) SWAP(x, y)
#define TOLD(x) told(#x, x)
#define GROW(x) (x)++, (x) *= 2
#define ADDED(x, y) x + y
struct Pair { int a : 4, b : 4; };
__device__ int told(const char*, int value) { return value; }
__global__ void kinds(int* p, float* q, int* index) {
  __shared__ float s[32];
  SWAP(p[0], p[1]);
  SWAP(s[threadIdx.x], q[index[0]]);
  int own = 3;
  SWAP(own, p[index[1]]);
  ORDER(q[2], q[3]);
  p[4] = TOLD(p[5]);
  GROW(p[6]);
  p[7] = ADDED(p[8], p[8]);
}
template <class T> __global__ void made(T* p) {
  SWAP(p[0], p[2]);
}
template __global__ void made(int*);
template __global__ void made(double*);
#define RAISE(x) x = x + 1
__global__ void bits(Pair* p, int* q) {
  RAISE(p->a);
  RAISE(q[0]);
}
void host(int* p) {
  SWAP(p[0], p[1]);
}
