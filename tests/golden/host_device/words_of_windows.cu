// Words of Windows' headers, which the toolkit's define as nothing elsewhere.
// expect: CUI_ACCESS(#, p[0]) = 1;
extern "C" {
extern _CRTIMP __host__ __device__ int __cdecl printf(const char*, ...);
}
__global__ void tells(int* p) {
  p[0] = 1;
  printf("stored\n");
}
