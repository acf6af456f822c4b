// Uses of a macro that share a line, or are in another macro's text: what each does with its arguments is a site for
// each place in the macro's text. An argument says which one it is where lines do not tell.
// compile: -Werror -Wextra
// expect: { auto t = CUI_ARGUMENT_ACCESS(#, x); CUI_ARGUMENT_ACCESS(#, x) = CUI_ARGUMENT_ACCESS(#, y); CUI_ARGUMENT_ACCESS(#, y) = t; }
// expect: SWAP(CUI_ARGUMENT(#, p[0]), CUI_ARGUMENT(#, p[1])); SWAP(CUI_ARGUMENT(#, p[2]), CUI_ARGUMENT(#, p[CUI_ACCESS(#, index[0])]));
// expect: SWAP(p[4], p[5]);
// expect: SWAP((CUI_ARGUMENT(#, p[6])), own); SWAP(own, ((CUI_ARGUMENT(#, p[7]))));
// expect: #define TAKE(x, y) CUI_ARGUMENT_ACCESS(#, x) = CUI_ARGUMENT_ACCESS(#, y)
// expect: ROTATE(CUI_ARGUMENT(#, p[0]), CUI_ARGUMENT(#, p[1]));
// expect: #define BOTH(p) RAISE(CUI_ARGUMENT(#, p[0])); RAISE(CUI_ARGUMENT(#, p[1]))
// expect: #define LOWER(x) CUI_ARGUMENT_ACCESS(#, x) = CUI_ARGUMENT_ACCESS(#, x) - 1
// expect: LOWER((p[0]));
// expect: #define LOW(p, i) LOWER( ( CUI_ARGUMENT(#, p[i + 1]) ) ); LOWER((CUI_ARGUMENT(#, (p)[i])))
// expect: CUI_ARGUMENT_ACCESS(#, x) = CUI_ARGUMENT_ACCESS(#, x) + 2)
// expect: return TOLD(CUI_ARGUMENT(#, p[0])) + TOLD(CUI_ARGUMENT(#, p[1]));
#define SWAP(x, y) { auto t = x; x = y; y = t; }
#define TAKE(x, y) x = y
#define ROTATE(x, y) \
  TAKE(x, y);        \
  TAKE(y, x)
#define RAISE(x) x = x + 1
#define BOTH(p) RAISE(p[0]); RAISE(p[1])
#define LOWER(x) x = x - 1
#define LOW(p, i) LOWER( ( p[i + 1] ) ); LOWER(((p)[i]))
#define TOLD(x) told(#x, x = x + 2)
__device__ int told(const char*, int value) { return value; }
__global__ void kinds(int* p, int* index) {
  SWAP(p[0], p[1]); SWAP(p[2], p[index[0]]);
  SWAP(p[4], p[5]);
  int own = 3;
  SWAP((p[6]), own); SWAP(own, ((p[7])));
  SWAP(own, own); SWAP(own, p[8]);
}
__global__ void nested(int* p) {
  ROTATE(p[0], p[1]);
}
__global__ void inText(int* p, int* q) {
  BOTH(p);
  BOTH(q);
}
__global__ void parentheses(int* p) {
  LOWER((p[0]));
  LOWER(( p[1] ));
  LOW(p, 2);
}
__device__ int text(int* p) { return TOLD(p[0]) + TOLD(p[1]); }
template <class T> __device__ void made(T* p) { SWAP(p[0], p[2]); SWAP(p[1], p[3]); }
template __device__ void made(int*);
template __device__ void made(double*);
void host(int* p) {
  SWAP(p[0], p[1]); SWAP(p[2], p[3]);
}
