// Launches in class templates and lambdas, with dependent configuration.
// expect: CUI_LAUNCH(#, add CUI_LAUNCH_OPEN(<<<)CUI_GRID(blocks<N>()), CUI_BLOCK(N)CUI_LAUNCH_CLOSE(>>>)(data, T(1)));
// expect: auto launch = [&](int n) { CUI_LAUNCH(#, add<float> CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(n)CUI_LAUNCH_CLOSE(>>>)(p, 1.0f)); };
template <class T>
__global__ void add(T* p, T x) { p[threadIdx.x] += x; }
template <int N>
int blocks() { return N / 32; }
template <class T, int N>
struct Runner {
  T* data;
  void run() { add<<<blocks<N>(), N>>>(data, T(1)); }
};
void use(float* p) {
  Runner<float, 64> a{p};
  a.run();
  Runner<double, 32>{nullptr}.run();
  auto launch = [&](int n) { add<float><<<1, n>>>(p, 1.0f); };
  launch(3);
}
