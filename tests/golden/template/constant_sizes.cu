// Static members that are named by `this` in the size of an array that is initialised: Clang takes it for a size that is no constant.
// expect: int a[this->size()] = {CUI_ACCESS(#, p[2])};
// expect: int b[2][1 + this->size()] = {{CUI_ACCESS(#, p[3])}};
// expect: T a[this->count + N] = {CUI_ACCESS(#, p[4]), CUI_ACCESS(#, p[5])};
// expect-not: Clang cannot
struct Plain {
  __host__ __device__ static constexpr int size() { return 4; }
  __device__ int sum(const int* p) const {
    int a[this->size()] = {p[2]};
    int b[2][1 + this->size()] = {{p[3]}};
    return a[0] + b[0][0];
  }
};
template <class T> struct Table {
  static constexpr int count = 2;
  template <int N> __device__ T sum(const T* p) const {
    T a[this->count + N] = {p[4], p[5]};
    return a[0] + a[1];
  }
};
__global__ void use(int* p) { p[0] = Plain().sum(p) + Table<int>().sum<1>(p); }
