// A launch in a macro's body that hands it on to another macro, as dispatchers of types want it: it is wrapped where it is written.
// expect: RUN((CUI_LAUNCH(#, name##Kernel CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(n)CUI_LAUNCH_CLOSE(>>>)(p))))
// expect: DISPATCH([&] { CUI_LAUNCH(#, name##Kernel<Type> CUI_LAUNCH_OPEN(<<<)CUI_GRID(dim3(1, n)), CUI_BLOCK(WIDTH), CUI_SHARED_BYTES(0), CUI_STREAM(0)CUI_LAUNCH_CLOSE(>>>)(p, CUI_NULL(NULL))); })
// expect: RUN((CUI_LAUNCH(#, plainKernel CUI_LAUNCH_OPEN(<<<)CUI_GRID(2), CUI_BLOCK(n)CUI_LAUNCH_CLOSE(>>>)(p))))
// expect: CUI_LAUNCH(#, k CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(__VA_ARGS__)CUI_LAUNCH_CLOSE(>>>)(p))
// expect-not: skipped
__global__ void plainKernel(int* p) { p[0] = 1; }
template <typename T> __global__ void typedKernel(T* p, T* q) { p[0] = 1; }
#define WIDTH 64
#define RUN(statement) statement
#define DISPATCH(...) do { using Type = int; __VA_ARGS__(); } while (0)
#define PASTED(name, n) void name##Pasted(int* p) { RUN((name##Kernel<<<1, n>>>(p))); }
PASTED(plain, 32)
#define TYPED(name, n) void name##Typed(int* p) { DISPATCH([&] { name##Kernel<Type><<<dim3(1, n), WIDTH, 0, 0>>>(p, NULL); }); }
TYPED(typed, 4)
#define NAMED(n) void named(int* p) { RUN((plainKernel<<<2, n>>>(p))); }
NAMED(32)
#define LAUNCH(k, ...) k<<<__VA_ARGS__>>>(p)
#define VARIED(name) void varied(int* p) { DISPATCH([&] { LAUNCH(name##Kernel, 3, WIDTH); }); }
VARIED(plain)
#undef WIDTH
#undef RUN
#undef DISPATCH
#undef PASTED
#undef TYPED
#undef NAMED
#undef LAUNCH
#undef VARIED
