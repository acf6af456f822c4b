// A word for __shared__ that also declares dynamic memory: the objects with a constructor that it declares are left
// to nvcc, and what uses them says so. All else is instrumented.
// expect: SHARED Tally tally;
// expect: CUI_ACCESS(#, out[0]) = CUI_ACCESS(#, dynamic[1]);
// expect: "Clang cannot tell what it is"
#define SHARED __shared__
struct Tally {
  int value;
  __device__ Tally() : value(7) {}
};
__global__ void constructors(int* out) {
  extern SHARED int dynamic[];
  SHARED Tally tally;
  tally.value = 3;
  out[0] = dynamic[1];
}
#undef SHARED
