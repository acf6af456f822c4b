// A macro that is used more than once on a line: a form in its text could not tell these uses apart, and what is
// the whole of its text is recorded where it is used. So it is in all uses of that macro.
// compile: -Werror
// expect: #define AT(i) p[i]
// expect: CUI_ACCESS(#, AT(1)) = CUI_ACCESS(#, AT(2));
// expect: CUI_ACCESS(#, AT(3)) += 1;
// expect: CUI_ACCESS(#, CELL(0, CUI_ACCESS(#, q[1]))) = CUI_ACCESS(#, CELL(1, 1)) * 2;
// expect: #define MOVE(i, j) CUI_MACRO_ACCESS(#, AT(i)) = CUI_MACRO_ACCESS(#, AT(j))
// expect: LARGER(CUI_ACCESS(#, AT(6)), CUI_ACCESS(#, AT(7)))
// expect: CUI_ACCESS(#, HEAD) = CUI_ACCESS(#, HEAD) + 1;
// expect: &AT(8) - &AT(9)
// expect: CUI_ACCESS(#, SIZE(q).n) = SIZE(q).m;
// expect: #define NEXT(i) CUI_MACRO_ACCESS(#, p[i]) + 1
// expect: #define ONCE(i) CUI_MACRO_ACCESS(#, p[i])
// expect: #define TOLD(i) CUI_MACRO_ACCESS(#, p[i])
#define AT(i) p[i]
#define CELL(i, j) (((p[(i) * 4 + (j)])))
#define MOVE(i, j) AT(i) = AT(j)
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define HEAD *p
#define NEXT(i) p[i] + 1
#define ONCE(i) p[i]
#define TOLD(i) p[i]
#define TELL(x) told(#x, x)
#define SIZE(q) (*reinterpret_cast<Size*>(q))
struct Size { int n; static constexpr int m = 3; };
__device__ int told(const char* text, int value) { return value + text[0]; }
__global__ void uses(int* p, int* q) {
  AT(1) = AT(2);
  AT(3) += 1;
  CELL(0, q[1]) = CELL(1, 1) * 2;
  MOVE(4, 5);
  q[0] = LARGER(AT(6), AT(7));
  HEAD = HEAD + 1;
  q[2] = &AT(8) - &AT(9);
  q[3] = NEXT(10) + NEXT(11);
  ONCE(12) = 0;
  TELL(TOLD(13)), TELL(TOLD(14));
  SIZE(q).n = SIZE(q).m;
}
template <class T> __device__ void fill(T* p) { AT(1) = AT(2); }
template __device__ void fill(float*);
__host__ __device__ constexpr int constant(const int* p) { return AT(0) + AT(1); }
