// Traits ask for members that only the device has, and templates of the device name `declval` in their signatures: what
// they find is what nvcc finds.
// expect: return CUI_ACCESS(#, CUI_ACCESS(#, values)[0]) * value(at);
// expect: return CUI_ACCESS(#, values[1]) + object.value(at);
// expect: CUI_ACCESS(#, out[0]) = value + object(2);
#include <type_traits>
#include <utility>
struct OnDevice {
  const float* values;
  __device__ float value(int at) const { return at; }
  __device__ float operator()(int at) const { return values[0] * value(at); }
};
struct OnHost {
  float operator()(int at) const { return at; }
};
struct Other {};
template <class T>
struct IsCallable {
  template <class C> static char test(decltype(std::declval<C>()(1))*);
  template <class C> static long test(...);
  static constexpr bool value = sizeof(test<T>(nullptr)) == sizeof(char);
};
static_assert(IsCallable<OnDevice>::value && IsCallable<OnHost>::value && !IsCallable<Other>::value, "");
template <class T>
__device__ std::enable_if_t<IsCallable<T>::value, decltype(std::declval<T>().value(1))> asked(
    const T& object, const float* values, int at) {
  return values[1] + object.value(at);
}
template <class T>
__device__ std::enable_if_t<!IsCallable<T>::value, float> asked(const T&, const float*, int) {
  return 0;
}
template <class T>
__global__ void run(T object, float* out) {
  using Value = decltype(asked(object, out, 1));
  Value value = asked(object, out, 1);
  out[0] = value + object(2);
}
void launch(float* out) {
  run<<<1, 1>>>(OnDevice{out}, out);
}
