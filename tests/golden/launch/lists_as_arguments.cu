// Arguments that are lists in braces, whose parameters' types the CPU backend must be told.
// expect: (CUI_LIST(#, (::Pair), {1, 2}), x));
// expect: (CUI_LIST(#, (::own::Range<float>), {x, n}), CUI_LIST(#, (float *), {x}), CUI_LIST(#, (unsigned int), {})));
// expect: (CUI_LIST(#, (::own::Mode), {own::Mode::fast}), CUI_LIST(#, (::Nested), {{1, 2}, {3, 4, 5}})));
// expect: (CUI_LIST(#, (::Pair), {7, 8}), p));
// expect: >>>)(CUI_LIST(#, (::Pair), {list, 0}), __VA_ARGS__))
// expect: (Pair{3, 4}, x));
// expect: (CUI_LIST(#, (::Unnamed), {1}), CUI_LIST(#, (Hidden), {2}), x));
#include <cassert>
struct Pair {
  int a, b;
};
struct Nested {
  Pair pair;
  int rest[3];
};
namespace own {
template <class T>
struct Range {
  T* data;
  int size;
};
enum class Mode { slow, fast };
}  // namespace own
typedef struct {
  int a;
} Unnamed;
namespace {
struct Hidden {
  int a;
};
}  // namespace
__global__ void fill(Pair p, float* x) { x[threadIdx.x] = p.a + p.b; }
__global__ void ranges(own::Range<float> r, float* x, unsigned n) { r.data[n] = x[0]; }
__global__ void modes(own::Mode mode, Nested nested) { assert(mode == own::Mode::fast && nested.rest[1] == 4); }__global__ void inC(Unnamed one, Hidden other, float* x) { x[one.a] = other.a; }

#define FILL(list, ...) fill<<<1, 1>>>({list, 0}, __VA_ARGS__)

void lists(float* x, int n) {
  fill<<<1, 32>>>({1, 2}, x);
  ranges<<<1, 1>>>({x, n}, {x}, {});
  modes<<<1, 1>>>({own::Mode::fast}, {{1, 2}, {3, 4, 5}});
  FILL(5, x);
  inC<<<1, 1>>>({1}, {2}, x);
  fill<<<1, 1>>>(Pair{3, 4}, x);
}
template <class T>
void inTemplate(T* p, int n) {
  fill<<<1, 1>>>({7, 8}, p);
}
void instantiate(float* x) {
  inTemplate(x, 1);
}
