// A specialisation that does not repeat its template's `__host__ __device__`: nvcc takes them from the template. One that is for
// both sides, of a template for the device.
// standard: 17 20
// expect: int Read::operator()<int>(int* p) { return CUI_ACCESS(
// expect: __device__ int value<int>(int* p) { return CUI_ACCESS(
// expect: float wider<float>(float* p) { return CUI_ACCESS(
// expect-not: Clang rejects
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

template <typename T>
__device__ T wider(T* p) {
  return *p;
}
template <>
inline __host__ __device__ float wider<float>(float* p) { return *p + 4; }

__global__ void specialisation(int* data, float* out) {
  static_assert(idOf<int>() == Id::integer && idOf<float>() == Id::real, "");
  data[0] = Read()(data + 1) + value(data + 2);
  out[0] = value(out + 1) + wider(out + 2) + wider(data);
}
