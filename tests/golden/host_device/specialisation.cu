// A specialisation that does not repeat its template's `__host__ __device__`: nvcc takes them from the template.
// standard: 17 20
// expect: int Read::operator()<int>(int* p) { return CUI_ACCESS(
// expect: __device__ int value<int>(int* p) { return CUI_ACCESS(
// expect: inline float value<float>(float* p) { return CUI_ACCESS(
enum class Id { integer, real, none };

template <typename T>
__host__ __device__ constexpr Id idOf() {
  return Id::none;
}
#define MAPPING(TYPE, ID)          \
  template <>                      \
  constexpr inline Id idOf<TYPE>() { \
    return ID;                     \
  }
MAPPING(int, Id::integer)
MAPPING(float, Id::real)

struct Read {
  template <typename T>
  __host__ __device__ T operator()(T* p) {
    return *p;
  }
};
template <>
inline int Read::operator()<int>(int* p) { return *p + 1; }

template <typename T>
__host__ __device__ T value(T* p) {
  return *p;
}
template <>
__device__ int value<int>(int* p) { return *p + 2; }
template <>
inline float value<float>(float* p) { return *p + 3; }

__global__ void specialisation(int* data, float* out) {
  static_assert(idOf<int>() == Id::integer && idOf<float>() == Id::real, "");
  data[0] = Read()(data + 1) + value(data + 2);
  out[0] = value(out + 1);
}
