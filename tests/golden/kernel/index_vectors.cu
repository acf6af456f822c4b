// threadIdx and its kin are uint3 and dim3 to the program's templates and operators, and so are copies of them.
// expect: CUI_ACCESS(#, p[at.x]) = 1;
// expect: CUI_ACCESS(#, p[first.x]) = CUI_ACCESS(#, p[extentOf(blockIdx)]);
// expect: CUI_ACCESS(#, p[own.x + own.y]) += 1;
// expect: CUI_ACCESS(#, p[threadIdx.x]) = blockDim.x;
// expect-not: Clang rejects
template <class T>
struct Extents {};
template <>
struct Extents<uint3> {
  typedef uint3 Result;
  static const int count = 3;
};
template <>
struct Extents<dim3> {
  typedef uint3 Result;
  static const int count = 3;
};
template <class A, class B>
__device__ typename Extents<A>::Result operator*(const A& a, const B& b) {
  return make_uint3(a.x * b.x, a.y * b.y, a.z * b.z);
}
template <class A, class B>
__device__ typename Extents<A>::Result operator+(const A& a, const B& b) {
  return make_uint3(a.x + b.x, a.y + b.y, a.z + b.z);
}
template <class T>
__device__ int extentOf(T) {
  return Extents<T>::count;
}

__global__ void places(int* p) {
  const uint3 at = blockIdx * blockDim + threadIdx;
  p[at.x] = 1;
  const auto first = at.x == 0 ? threadIdx : blockIdx;
  p[first.x] = p[extentOf(blockIdx)];
  auto own = threadIdx;
  own.y = 4;
  p[own.x + own.y] += 1;
  p[threadIdx.x] = blockDim.x;
}
