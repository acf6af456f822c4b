// References that functions return, in macros: recorded where all expansions have them, or where they are used.
// expect: #define SET(object, i, value) CUI_MACRO_ACCESS(#, (object).at(i)) = (value)
// expect: #define PART(t, i) CUI_MACRO_ACCESS(#, part(t, i))
// expect: #define ENTRY(m, i, j) CUI_MACRO_ACCESS(#, m(i, j))
// expect: #define OPERATOR(T) __device__ Pair<T>& operator+=(Pair<T>& a, T b) { CUI_MACRO_ACCESS(#, part(a, 0)) += b; return a; }
// expect: #define EITHER(object) (object).either(0)
// expect: CUI_ACCESS(#, EITHER(floats[6])) +
// expect: #define MORE(object) (object).either(0) + 1
// expect-not: SET(CUI
// expect: "not every expansion of the macro is such an access"
template <class T> struct Pair {
  T values[2];
  __device__ T& at(int i) { return values[i]; }
  __device__ T& operator()(int i, int j) { return values[i + j]; }
  __device__ T& either(int i) { return values[i]; }
};
struct Plain { __device__ int either(int i) { return i; } };
template <class T> __device__ T& part(Pair<T>& t, int i) { return t.values[i]; }
#define SET(object, i, value) (object).at(i) = (value)
#define PART(t, i) part(t, i)
#define ENTRY(m, i, j) m(i, j)
#define OPERATOR(T) __device__ Pair<T>& operator+=(Pair<T>& a, T b) { part(a, 0) += b; return a; }
#define EITHER(object) (object).either(0)
#define MORE(object) (object).either(0) + 1
OPERATOR(float)
OPERATOR(double)
template <class T> __device__ void fill(Pair<T>* all, T value) {
  SET(all[0], 0, value);
  PART(all[1], 1) = ENTRY(all[2], 0, 1) + value;
}
__global__ void macros(Pair<float>* floats, Pair<double>* doubles) {
  SET(floats[1], 1, 2.f);
  SET(doubles[1], 0, PART(doubles[2], 1));
  ENTRY(floats[3], 0, 0) += 1;
  floats[4] += 1.f;
  doubles[4] += 1.0;
  fill(floats, 1.f);
  floats[5].at(0) = EITHER(floats[6]) +
                    EITHER(Plain()) + MORE(floats[6]) + MORE(Plain());
}
