// `main` without a type, of which nvcc warns.
// nvcc: no, all cases are compiled as one file
// expect: main() { int* p; CUI_API(#, cudaMalloc)(&p, 4); CUI_LAUNCH(#, first CUI_LAUNCH_OPEN(
// expect-not: Clang rejects
__global__ void first(int* p) { *p = 1; }
main() { int* p; cudaMalloc(&p, 4); first<<<1, 1>>>(p); }
