// Configurations that are lists in braces, which nvcc takes and Clang does not.
// expect: CUI_LAUNCH(#, fill CUI_LAUNCH_OPEN(<<<)CUI_GRID({2, 1}), CUI_BLOCK({32, 4, 1})CUI_LAUNCH_CLOSE(>>>)(a));
// expect: CUI_LAUNCH(#, fill CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK({unsigned(n), }), CUI_SHARED_BYTES(0), CUI_STREAM({stream})CUI_LAUNCH_CLOSE(>>>)(a));
// expect: CUI_LAUNCH(#, fill CUI_LAUNCH_OPEN(<<<)CUI_GRID({}), CUI_BLOCK(dim3{8, 8}), CUI_SHARED_BYTES({ }), CUI_STREAM({})CUI_LAUNCH_CLOSE(>>>)(a));
// expect: #define ROWS(kernel, rows) CUI_LAUNCH(#, kernel CUI_LAUNCH_OPEN(<<<)CUI_GRID({1, rows}), CUI_BLOCK({32, 1})CUI_LAUNCH_CLOSE(>>>)(a))
__global__ void fill(float* a) { a[threadIdx.x] = 0; }

#define ROWS(kernel, rows) kernel<<<{1, rows}, {32, 1}>>>(a)

void launchInBraces(float* a, int n, cudaStream_t stream) {
  fill<<<{2, 1}, {32, 4, 1}>>>(a);
  fill<<<1, {unsigned(n), }, 0, {stream}>>>(a);
  fill<<<{}, dim3{8, 8}, { }, {}>>>(a);
  ROWS(fill, 2);
}
#undef ROWS
