// Initialisers of many kinds: several, of parameters with the member's name, arrays, templates, references (which
// store no object), a member that is copied, constexpr, the class's own initialisers, in a macro.
// expect: : x(x), y(CUI_ACCESS(#, from[0])) { CUI_INITIALISED(#, this->x); CUI_INITIALISED(#, this->y);}
// expect: : first(CUI_ACCESS(#, p)), bound(r), t(T()) { CUI_INITIALISED(#, this->first); CUI_INITIALISED_FIELD(#, 8, 8); CUI_INITIALISED(#, this->t);}
// expect: : value(v) { CUI_INITIALISED(#, this->value); CUI_ACCESS(#, other) = 0; }
// expect: : all{1, 2} { CUI_INITIALISED(#, this->all);}
// expect: Defaults() { CUI_INITIALISED(#, this->first); CUI_INITIALISED(#, this->second);}
// expect: : second(d) { CUI_INITIALISED(#, this->first); CUI_INITIALISED(#, this->second);}
// expect: : a(v) { CUI_MACRO_INITIALISED(#, this->a);}
// expect: constexpr Constant(int v) : v(v) { CUI_INITIALISED(#, this->v);}
// expect: Bits() : low(1) { CUI_INITIALISED_FIELD(#, 4, 0);}
struct Pair {
  float x, y;
  __device__ Pair(float x, const float* from) : x(x), y(from[0]) {}
};
template <class T>
struct Holder {
  Pair first;
  float& bound;
  T t;
  __device__ Holder(const Pair& p, float& r) : first(p), bound(r), t(T()) {}
};
struct Both {
  const int value;
  int other;
  __host__ __device__ Both(int v) : value(v) { other = 0; }
};
struct Array {
  int all[2];
  __device__ Array() : all{1, 2} {}
};
struct Defaults {
  int first = 1;
  double second = 2;
  __device__ Defaults() {}
  __device__ explicit Defaults(double d) : second(d) {}
};
struct Bits {
  unsigned low : 4;
  __device__ Bits() : low(1) {}
};
struct Constant {
  int v;
  __host__ __device__ constexpr Constant(int v) : v(v) {}
};
constexpr int seven = Constant(7).v;
#define DECLARE(name) \
  struct name { int a; __device__ name(int v) : a(v) {} };
DECLARE(One)
DECLARE(Two)
__global__ void initialisers(float* f, Both* b, Array* a, Bits* bits, One* one, Two* two, Constant* c) {
  Holder<double> holder(Pair(1, f), f[1]);
  f[2] = static_cast<float>(holder.t);
  b[0].other = Both(3).value;
  *a = Array();
  f[3] = Defaults().first + Defaults(4).first;
  *bits = Bits();
  *one = One(1);
  *two = Two(2);
  *c = Constant(seven);
}
