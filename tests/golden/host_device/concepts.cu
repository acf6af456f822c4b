// Concepts and requirements that ask for members of the device's alone, in host functions: satisfied, as with nvcc. What
// they decide on is what is instantiated, and recorded with its types.
// standard: 20
// expect: load, generic, instrumented, 4, 0, "first", "v[0]", "v", "0", "float"
// expect: store, generic, instrumented, 4, 0, "both", "out[0]", "out", "0", "float"
// expect: store, generic, instrumented, 4, 0, "asked", "out[1]", "out", "1", "float"
// expect: store, generic, instrumented, 4, 0, "own", "out[2]", "out", "2", "float"
// expect-not: dependent type
// expect-not: Clang rejects
template <class T>
concept Variable = requires(T v, int i) {
  { v.data() };
  { v[i] };
};
struct View {
  float* p;
  __device__ float* data() const { return p; }
  __device__ float& operator[](int i) const { return p[i]; }
};
template <Variable T>
__device__ float first(const T& v) { return v[0]; }
template <class T>
__global__ void both(T v, float* out) { out[0] = first(v); }
template <class T>
__global__ void asked(T v, float* out) { out[1] = first(v); }
template <class T>
void launch(T v, float* out) {
  if constexpr (Variable<T>) both<<<1, 32>>>(v, out);
  if constexpr (requires { v.data(); }) asked<<<1, 32>>>(v, out);
}
template <class T>
__global__ void own(float* out) { out[2] = sizeof(T); }
class Own {
  float* out_ = nullptr;

 public:
  template <class T>
  void launch() requires requires(T t) { t.out_; } {
    if constexpr (requires(T t) { t.out_; }) own<T><<<1, 1>>>(out_);
    static_assert(Variable<View>);
  }
};
int main() {
  launch(View{}, nullptr);
  Own().launch<Own>();
}
