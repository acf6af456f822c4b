// Configurations that macros stand for, with commas that separate none of their arguments: a template's, a list's. Lists that a macro
// brings Clang does not take, and nvcc does. Whatever the macro holds is evaluated once.
// expect: #define RUN(kernel, ...) CUI_LAUNCH(CUI_LINE(#), kernel CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(__VA_ARGS__)CUI_LAUNCH_CLOSE(>>>)(p))
// expect: #define SHAPED(grid, ...) CUI_LAUNCH(#, set CUI_LAUNCH_OPEN(<<<)CUI_GRID(grid), CUI_BLOCK(__VA_ARGS__)CUI_LAUNCH_CLOSE(>>>)(p))
// expect: CUI_LAUNCH(#, set CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(SIZES)CUI_LAUNCH_CLOSE(>>>)(p));
// expect: CUI_LAUNCH(#, set CUI_LAUNCH_OPEN(<<<)CUI_GRID(PAIR), CUI_BLOCK(1)CUI_LAUNCH_CLOSE(>>>)(p));
// expect: #define RUN_ON(kernel, bytes, stream) CUI_LAUNCH(#, kernel CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32), CUI_SHARED_BYTES(bytes), CUI_STREAM(stream)CUI_LAUNCH_CLOSE(>>>)(p))
// expect: CUI_LAUNCH(#, typed<int, 2> CUI_LAUNCH_OPEN(<<<)CUI_GRID(dim3{1, 2}), CUI_BLOCK({x, 1})CUI_LAUNCH_CLOSE(>>>)(p))
// expect-not: Clang rejects
#define RUN(kernel, ...) kernel<<<__VA_ARGS__>>>(p)
#define SHAPED(grid, ...) set<<<grid, __VA_ARGS__>>>(p)
#define SIZES dim3{1, 2}, {32, 1}, sum<3, 4>()
#define PAIR {1, 2}
#define RUN_ON(kernel, bytes, stream) kernel<<<1, 32, bytes, stream>>>(p)
#define TYPED(x) typed<int, 2><<<dim3{1, 2}, {x, 1}>>>(p)
template <int a, int b> int sum() { return a + b; }
__global__ void set(int* p) { p[threadIdx.x] = 1; }
template <class T, int n> __global__ void typed(T* p) { p[threadIdx.x] = n; }
void launch(int* p, unsigned n, cudaStream_t stream) {
  RUN(set, sum<3, 4>(), 32);
  RUN(set, dim3{1, 2}, ++n, 0, stream);
  RUN(set, {1, 2}, {32, n});
  RUN((typed<int, 4>), {}, dim3{32, 1, 1}, sum<1, 2>() * sizeof(int));
  SHAPED(1, {32, 2});
  RUN(set, 1, 32, {});
  RUN(set, dim3{1}, {32}, {4}, {stream});
  RUN(set, sum<3, 4>(), {32, 1}, {}, {});
  RUN(set, {dim3(2)}, {{32, 1, 1}}, {n});
  RUN_ON(set, {}, stream);
  set<<<SIZES>>>(p);
  set<<<PAIR, 1>>>(p);
  TYPED(n);
}
#undef RUN
#undef SHAPED
#undef SIZES
#undef PAIR
#undef RUN_ON
#undef TYPED
