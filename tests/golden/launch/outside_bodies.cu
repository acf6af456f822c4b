// Launches and runtime calls outside any function's body: in default arguments and in what initialises a variable at file scope.
// expect: void inDefault(int x = (CUI_OUTER_LAUNCH(#, k CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(2)CUI_LAUNCH_CLOSE(>>>)(g)), 0)) { (void)x; }
// expect: void inLambda(int x = [] { CUI_LAUNCH(#, k CUI_LAUNCH_OPEN(<<<)CUI_GRID(2), CUI_BLOCK(1)CUI_LAUNCH_CLOSE(>>>)(g)); return 4; }()) { (void)x; }
// expect: void declared(int x = (CUI_OUTER_LAUNCH(#, k
// expect: void method(int x = (CUI_OUTER_LAUNCH(#, k
// expect: int member = (CUI_LAUNCH(#, k
// expect: void ofTemplate(T x = (CUI_OUTER_LAUNCH(#, k
// expect: void function(T a, int x = (CUI_OUTER_LAUNCH(#, typed<T> CUI_LAUNCH_OPEN
// expect: int atFileScope = (CUI_OUTER_LAUNCH(#, k
// expect: cudaError_t e = CUI_API(#, cudaMalloc)(&g, 4)
// expect: void sized(int x = (CUI_OUTER_LAUNCH(#, k CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(SIZES)CUI_LAUNCH_CLOSE(>>>)(g)), 0)) { (void)x; }
// expect: #define RUN(kernel, ...) CUI_OUTER_LAUNCH(CUI_LINE(#), kernel CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(__VA_ARGS__)CUI_LAUNCH_CLOSE(>>>)(g))
// expect-not: Clang rejects
// expect-not: a launch from device code
#define SIZES 1, {32, 1}
#define RUN(kernel, ...) kernel<<<__VA_ARGS__>>>(g)
__global__ void k(int* p) { p[threadIdx.x] = 1; }
template <class T> __global__ void typed(int* p) { p[threadIdx.x] = sizeof(T); }
int* g;
void inDefault(int x = (k<<<1, 2>>>(g), 0)) { (void)x; }
void inLambda(int x = [] { k<<<2, 1>>>(g); return 4; }()) { (void)x; }
void declared(int x = (k<<<3, 1>>>(g), 0));
void allocates(cudaError_t e = cudaMalloc(&g, 4)) { (void)e; }
struct Launcher {
  void method(int x = (k<<<4, 1>>>(g), 0)) { (void)x; }
  int member = (k<<<5, 1>>>(g), 0);
  Launcher() {}
};
template <class T> struct OfTemplate {
  void ofTemplate(T x = (k<<<6, 1>>>(g), 0)) { (void)x; }
};
template <class T> void function(T a, int x = (typed<T><<<7, 1>>>(g), 0)) { (void)a; (void)x; }
int atFileScope = (k<<<8, 1>>>(g), 0);
void sized(int x = (k<<<SIZES>>>(g), 0)) { (void)x; }
template <class T> struct Sized {
  void method(T x = (k<<<SIZES>>>(g), 0)) { (void)x; }
  T member = (k<<<SIZES>>>(g), 0);
  Sized(T m = (RUN(typed<T>, 2, sizeof(T)), 0)) : member(m) {}
};
int sizedAtFileScope = (k<<<SIZES>>>(g), 0);
int runAtFileScope = (RUN(k, 2, 32, 8), 0);
void use() {
  RUN(typed<int>, 4, 32);
  sized();
  Sized<int>().method();
  allocates();
  inDefault();
  inLambda();
  declared();
  Launcher().method();
  OfTemplate<int>().ofTemplate();
  function(1.f);
}
#undef SIZES
#undef RUN
