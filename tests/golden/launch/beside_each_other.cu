// A macro's launches on one line are one row's, of which nobody says whose kernel it runs; instantiations of one kernel
// have its name.
// expect: #define BESIDE(kernel, p) CUI_LAUNCH(CUI_LINE(#), kernel CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(p))
// expect: CUI_LAUNCH_ENTRY("besideFirst", "", "launchesBeside", 0,
// expect: CUI_LAUNCH_ENTRY("besideThird", "besideThird", "launchesBeside", 0,
// expect: CUI_LAUNCH_ENTRY("besideFirst", "besideFirst", "launchesBeside", 0,
// expect: CUI_LAUNCH_ENTRY("besideThird<float>", "besideThird", "launchesBeside", 0,
// expect-not: CUI_LAUNCH_ENTRY("besideSecond"
#define BESIDE(kernel, p) kernel<<<1, 32>>>(p)
__global__ void besideFirst(int* p) {}
__global__ void besideSecond(int* p) {}
template <class T>
__global__ void besideThird(T* p) {}

void launchesBeside(int* p, float* q) {
  BESIDE(besideFirst, p); BESIDE(besideSecond, p);
  BESIDE(besideThird<int>, p), BESIDE(besideThird<float>, q);
  BESIDE(besideFirst, p);
  BESIDE(besideThird<float>, q);
}
#undef BESIDE
