// Launches with one to four configuration arguments, template arguments with commas, as the unbraced body
// of if, for and case, and in a comma expression.
// expect: CUI_LAUNCH(#, plain CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(a));
// expect: CUI_LAUNCH(#, pair<float, 32> CUI_LAUNCH_OPEN(<<<)CUI_GRID(dim3(1, 2)), CUI_BLOCK(dim3(8, 8)), CUI_SHARED_BYTES(n * sizeof(float))CUI_LAUNCH_CLOSE(>>>)(a, n));
// expect: if (n > 1) CUI_LAUNCH(#, plain CUI_LAUNCH_OPEN(<<<)CUI_GRID(n), CUI_BLOCK(64), CUI_SHARED_BYTES(0), CUI_STREAM(stream)CUI_LAUNCH_CLOSE(>>>)(a));
// expect: else CUI_LAUNCH(#, plain
// expect: case 3: CUI_LAUNCH(#, plain
// expect: CUI_LAUNCH_ENTRY("pair<float, 32>", "pair", "launchAll",
__global__ void plain(float* a) { a[threadIdx.x] = 0; }
template <class T, int N>
__global__ void pair(T* a, int n) { a[threadIdx.x] = N * n; }
void launchAll(float* a, int n, cudaStream_t stream) {
  plain<<<1, 32>>>(a);
  pair<float, 32><<<dim3(1, 2), dim3(8, 8), n * sizeof(float)>>>(a, n);
  if (n > 1) plain<<<n, 64, 0, stream>>>(a);
  else plain <<< 1, 1 >>> (a);
  for (int i = 0; i < n; ++i) plain<<<i, i>>>(a + i);
  switch (n) {
    case 3: plain<<<1, 3>>>(a); break;
  }
  dim3 grid{4}, block = 8;
  (plain<<<grid, block>>>(a)), (void)n;
}
