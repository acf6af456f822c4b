// The configuration and arguments are macros: the use is wrapped, not the definition. A check that also turns
// its argument into text gets the launch all the same (its failure message then shows the form).
// expect: #define GRID dim3(4, 2)
// expect: #define THREADS 64
// expect: CUI_LAUNCH(#, k CUI_LAUNCH_OPEN(<<<)CUI_GRID(GRID), CUI_BLOCK(THREADS / 2), CUI_SHARED_BYTES(BYTES(float))CUI_LAUNCH_CLOSE(>>>)(p, CUI_NULL(NONE), SIZE));
// expect: CHECK((CUI_LAUNCH(#, k CUI_LAUNCH_OPEN(<<<)CUI_GRID(GRID), CUI_BLOCK(1)CUI_LAUNCH_CLOSE(>>>)(p, CUI_NULL(nullptr), 3))));
// expect: CHECK(e = CUI_API(#, cudaMalloc)(&p, THREADS));
#define GRID dim3(4, 2)
#define THREADS 64
#define BYTES(type) (THREADS * sizeof(type))
#define NONE NULL
#define SIZE 7
#define CHECK(call) do { call; if (cudaGetLastError()) fail(#call); } while (0)
void fail(const char* text);
__global__ void k(int* p, float* q, int n) { p[n] = 1; }
void launch(int* p) {
  cudaError_t e;
  CHECK(e = cudaMalloc(&p, THREADS));
  k<<<GRID, THREADS / 2, BYTES(float)>>>(p, NONE, SIZE);
  CHECK((k<<<GRID, 1>>>(p, nullptr, 3)));
  (void)e;
}
#undef GRID
#undef THREADS
#undef BYTES
#undef NONE
#undef SIZE
#undef CHECK
