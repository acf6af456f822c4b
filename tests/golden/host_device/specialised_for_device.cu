// Specialisations for both sides of a template that is the host's, as its declaration says: nvcc takes them, and
// calls them on the device. A member's, that of a namespace, one that a macro declares.
// standard: 17 20
// expect: float View::as<float>(const int* i) { return CUI_ACCESS(#, *i); }
// expect: double View::as<double>(const int* i) { return CUI_ACCESS(#, *i) + 1; }
// expect: int View::get<int>(const int* p) const { return CUI_ACCESS(#, p[1]); }
// expect: int first<int>(const int* p) { return CUI_ACCESS(#, p[0]); }
// expect: int second<int>(const int* p) { return CUI_ACCESS(#, p[1]); }
// expect: CUI_ACCESS(#, out[0]) = View::as<float>(data);
// expect-not: Clang rejects
#define BOTH inline __host__ __device__

struct View {
  template <typename T>
  static T as(const int* i);
  template <typename T>
  T get(const T* p) const;
};
template <>
BOTH float View::as<float>(const int* i) { return *i; }
template <>
BOTH double View::as<double>(const int* i) { return *i + 1; }
template <>
BOTH int View::get<int>(const int* p) const { return p[1]; }

namespace inside {
template <typename T>
T first(const T* p);
template <>
BOTH int first<int>(const int* p) { return p[0]; }
}  // namespace inside

#define DECLARE(NAME)   \
  template <typename T> \
  T NAME(const T* p);
DECLARE(second)
template <>
BOTH int second<int>(const int* p) { return p[1]; }

__global__ void kernel(float* out, const int* data) {
  out[0] = View::as<float>(data);
  out[1] = View::as<double>(data + 1) + View().get<int>(data) + inside::first(data) + second(data);
}
