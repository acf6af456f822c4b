// Static members that are named by `this` where a constant is wanted: other compilers do not ask which object that is.
// standard: 17 20
// expect: if constexpr (this->pairs) return CUI_ACCESS(#, slot.first); else return CUI_ACCESS(#, slot);
// expect: __device__ int width(const int* p) const { if constexpr (!this->pairs && sizeof(int) == 4) return CUI_ACCESS(#, p[1]); else return CUI_ACCESS(#, p[2]); }
// expect: return CUI_ACCESS(#, p[n]) + Scaled<this->size()>::of(CUI_ACCESS(#, p[3]));
// expect-not: Clang
template <class T> struct Pair { T first, second; };
template <int n> struct Scaled { __device__ static int of(int value) { return n * value; } };
template <class T, bool both> class Table {
  static constexpr bool pairs = both;
 public:
  __host__ __device__ static constexpr int size() { return pairs ? 2 : 1; }
  __device__ auto key(const T& slot) const {
    if constexpr (this->pairs) return slot.first; else return slot;
  }
  __device__ int take(const int* p) const {
    static_assert(this->size() > 0, "constant");
    constexpr int n = this->size();
    return p[n] + Scaled<this->size()>::of(p[3]);
  }
};
struct Plain {
  static constexpr bool pairs = false;
  __device__ int width(const int* p) const { if constexpr (!this->pairs && sizeof(int) == 4) return p[1]; else return p[2]; }
};
__global__ void use(int* p, Pair<int>* q) {
  Table<int, false> keys;
  Table<Pair<int>, true> entries;
  p[0] = keys.key(p[4]) + entries.key(*q) + keys.take(p) + entries.take(p) + Plain().width(p);
}
