// A launch in the argument of a checking macro.
// expect: CHECK((CUI_LAUNCH(#, k CUI_LAUNCH_OPEN(<<<)CUI_GRID(dim3(1, 2)), CUI_BLOCK(n)CUI_LAUNCH_CLOSE(>>>)(a)), cudaGetLastError()));
#define CHECK(...) do { if ((__VA_ARGS__) != cudaSuccess) return; } while (0)
__global__ void k(int* a) { a[0] = 1; }
void run(int* a, int n) {
  CHECK((k<<<dim3(1, 2), n>>>(a), cudaGetLastError()));
}
#undef CHECK
