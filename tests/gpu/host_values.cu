// What is an element on the device in one instance of a template is a value of the host's class in another, with --expt-relaxed-constexpr:
// nvcc says nothing of it, nor of what is inserted.
template <class T>
struct Bare {
  typedef T Type;
};
template <class T>
struct Bare<T&> {
  typedef T Type;
};
template <class T>
constexpr T&& onward(typename Bare<T>::Type& value) noexcept {
  return static_cast<T&&>(value);
}
template <class T>
struct Holder {
  T value;
  template <class... Args>
  constexpr explicit Holder(int, Args&&... values) : value(onward<Args>(values)...) {}
};
struct Text {
  explicit Text(const char* text) : text(text) {}
  Text(Text&& other) : text(other.text) {}
  const char* text;
};
__global__ void store(int* p) {
  Holder<int> held(0, p[1]);
  p[0] = held.value;
}
const char* textOf(const char* text) {
  Holder<Text> held(0, Text(text));
  return held.value.text;
}
