// An access that begins behind a cast in a macro's argument and ends in the macro's text: the text with the cast is wrapped, and the
// form takes the cast off. Where other uses of the macro have no such cast, those are recorded where they are.
// expect: #define DOT(a, b) ((CUI_MACRO_CAST(#, a.x)) * (CUI_MACRO_CAST(#, b.x)) + (CUI_MACRO_CAST(#, a.y)) * (CUI_MACRO_CAST(#, b.y)))
// expect: #define AT(array, i) (CUI_MACRO_CAST(#, array[i]))
// expect: #define OF(object) (CUI_MACRO_CAST(#, object->x))
// expect: out[3]) = MIXED((float)p[0]) + CUI_ACCESS(#, MIXED(p[0]));
// expect: out[4]) = NEGATED(-p[0]);
// expect: out[5]) = TWICE((float)(double)p[0]);
// expect: load, shared, instrumented, 8, 0, "k", "tile[i].x", "tile", "i", "double", "DOT", "", ""
// expect: load, generic, instrumented, 8, 0, "k", "p[i].y", "p", "i", "double", "DOT", "", ""
// expect: "p[0].y", "p", "0", "double", "MIXED", "", "not every expansion of the macro is such an access"
struct Pair {
  double x, y;
};
#define DOT(a, b) ((a.x) * (b.x) + (a.y) * (b.y))
#define AT(array, i) (array[i])
#define OF(object) (object->x)
#define MIXED(object) (object.y)
#define NEGATED(object) (object.x)
#define TWICE(object) (object.x)
#define CASTED(object) (float)object
template <class T> __device__ T times(const Pair* q, int i) {
  return OF((T)q);
}
__global__ void k(const Pair* p, const double* d, double* out, int i) {
  __shared__ Pair tile[32];
  out[0] = DOT((double)tile[i], (float)p[i]);
  out[1] = DOT((float)tile[i + 1], CASTED(p[i]));
  out[2] = AT((float)d, i + (int)d[0]);
  out[3] = MIXED((float)p[0]) + MIXED(p[0]);
  out[4] = NEGATED(-p[0]);
  out[5] = TWICE((float)(double)p[0]);
  out[6] = times<int>(p, i) + times<float>(p, i);
}
