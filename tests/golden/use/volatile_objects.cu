// Volatile objects of class type: where the program may copy them (the class says how, or a cast says that they are not
// volatile), so may the wrapped text, which stays volatile. A member is an access as of any object.
// expect: CUI_ACCESS(#, vector[1].x) = 3;
// expect: const float4 w = const_cast<const float4&>(CUI_ACCESS(#, vector[threadIdx.x]));
// expect: const_cast<float4&>(CUI_ACCESS(#, tile[0])) = w;
// expect: CUI_ACCESS(#, out[1]) = (float4&)CUI_ACCESS(#, vector[2]);
// expect: Pair pair = pairs[1];
// expect: a(CUI_ACCESS(#, other.a)), b(CUI_ACCESS(#, other.b))
// expect: load, generic, instrumented, 16, 0, "volatileObjects", "vector[threadIdx.x]", "vector", "threadIdx.x", "float4"
// expect: store, shared, instrumented, 16, 0, "volatileObjects", "tile[0]", "tile", "0", "float4"
// expect-not: skipped,
struct Pair {
  int a, b;
  __host__ __device__ Pair(const volatile Pair& other) : a(other.a), b(other.b) {}
  __host__ __device__ void operator=(const Pair& other) volatile {
    a = other.a;
    b = other.b;
  }
};
__global__ void volatileObjects(float4* out, volatile float4* vector, volatile Pair* pairs) {
  __shared__ volatile float4 tile[32];
  vector[1].x = 3;
  const float4 w = const_cast<const float4&>(vector[threadIdx.x]);
  const_cast<float4&>(tile[0]) = w;
  out[1] = (float4&)vector[2];
  Pair pair = pairs[1];
  pairs[2] = pair;
}
