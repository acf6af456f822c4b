// A function of the user's that another unit defines accesses there what it is given; what it returns is accessed here.
// nvcc: no, its functions are defined in another unit
// expect: add(a[i], a[CUI_ACCESS(#, where[i])]);
// expect: total(sums[i]);
// expect: CUI_ACCESS(#, at(i)) = CUI_ACCESS(#, many[1].value()) + sums[2].count(a[3]);
// expect: CUI_ACCESS(#, a[4]) = generic(a[5]);
// expect: : held(CUI_ACCESS(#, from)) { CUI_INITIALISED(#, this->held);}
// expect: : many(v) {}
// expect: CUI_ACCESS(#, a[6]) = atomicAdd(CUI_POINTER(#, &a[7]), 1.f);
// expect-not: "passed by reference to library code"
// expect-not: "a method of library code is called on it"
struct Sums {
  double all[8];
  __device__ int count(const float& with) const;
};
struct Many {
  __device__ Many(float v);
  __device__ Many(const Many& other);
  __device__ float& value();
  float held[8];
};
struct Holds {
  float held;
  __device__ Holds(const float& from) : held(from) {}
};
struct HoldsMany {
  Many many;
  __device__ HoldsMany(float v) : many(v) {}
};
__device__ void add(float& to, const float& from);
__device__ void total(Sums& sums);
__device__ float& at(int i);
template <class T> __device__ T generic(const T& x);
__device__ float atomicAdd(float* address, float value);
__global__ void callsOthers(float* a, int* where, Sums* sums, Many* many) {
  int i = threadIdx.x;
  add(a[i], a[where[i]]);
  total(sums[i]);
  at(i) = many[1].value() + sums[2].count(a[3]);
  a[4] = generic(a[5]);
  Holds held(a[8]);
  HoldsMany holdsMany(1.f);
  a[6] = atomicAdd(&a[7], 1.f);
}
