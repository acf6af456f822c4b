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
// expect-not: Clang rejects
// expect-not: a launch from device code
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
void use() {
  allocates();
  inDefault();
  inLambda();
  declared();
  Launcher().method();
  OfTemplate<int>().ofTemplate();
  function(1.f);
}
