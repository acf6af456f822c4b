// Errors that cost nothing, in a template that nothing instantiates: what is private to a thread is known beside them, and
// what a helper does with it has no record.
// nvcc: no, a namespace has no such name
// cpu: no, the compiler has the same error
// expect: Clang rejects
// expect: { for (int i = 0; i < 9; ++i) p[i] = i; }
template <class T>
struct Never {
  __host__ __device__ static T run(T x) {
    using ::argumentOf;
    return argumentOf(x);
  }
};
__host__ __device__ inline void fill(float* p) { for (int i = 0; i < 9; ++i) p[i] = i; }
__global__ void matrices(float* out) {
  float values[9];
  fill(values);
  out[0] = values[2];
}
