// A device function that is declared before it is defined, which the host's side of a macro names, too.
// expect: #define DECLARED_SLOT (CUI_MACRO_ACCESS(#, *declaredFirst()))
// expect: int onHostDeclared() { return DECLARED_SLOT; }
// expect-not: Clang rejects
__device__ int declaredKept;
__device__ int* declaredFirst();
__device__ int* declaredFirst() { return &declaredKept; }
int declaredHere;
#ifdef __CUDA_ARCH__
#define DECLARED_SLOT (*declaredFirst())
#else
#define DECLARED_SLOT declaredHere
#endif
int onHostDeclared() { return DECLARED_SLOT; }
__global__ void declaredKernel(int* p) { p[threadIdx.x] = DECLARED_SLOT; }
