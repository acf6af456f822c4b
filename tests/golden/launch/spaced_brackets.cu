// Launch brackets with a blank inside, as nvcc takes them and Clang does not. Text that looks like them stays.
// expect: CUI_LAUNCH(#, plain  CUI_LAUNCH_OPEN(<< <)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>> >)(a));
// expect: CUI_LAUNCH(#, plain CUI_LAUNCH_OPEN(<< <) CUI_GRID(dim3(1)), CUI_BLOCK((8 >> 2)) CUI_LAUNCH_CLOSE(>>>)(a));
// expect: CUI_LAUNCH(#, plain CUI_LAUNCH_OPEN(<<<)CUI_GRID(n), CUI_BLOCK(2), CUI_SHARED_BYTES(0)CUI_LAUNCH_CLOSE(>>	>)  (a));
// expect: CUI_LAUNCH(#, several<Pair<int>, 2>  CUI_LAUNCH_OPEN(<< /* as
// expect: #define ONE_THREAD(kernel, a) CUI_LAUNCH(#, kernel  CUI_LAUNCH_OPEN(<< <)CUI_GRID(1), CUI_BLOCK(1)CUI_LAUNCH_CLOSE(>> >)(a))
// expect: CUI_LAUNCH_ENTRY("several<Pair<int>, 2>", "several",
template <class T>
struct Pair { T first, second; };
template <class T, int N>
__global__ void several(float* a) { a[N] = sizeof(T); }
__global__ void plain(float* a) { a[threadIdx.x] = 0; }
struct Stream { int value; };
template <class T>
Stream& operator<<(Stream& stream, T value) { stream.value += int(value); return stream; }
#define ONE_THREAD(kernel, a) kernel << <1, 1>> >(a)
Pair<Pair<Pair<int>> > nested() { return Pair<Pair<Pair<int>> >(); }
void launchSpaced(float* a, int n) {
  plain << <1, 32>> >(a);
  plain<< < dim3(1), (8 >> 2) >>>(a);
  plain<<<n, 2, 0>>	>  (a);
  several<Pair<int>, 2> << /* as formatted */ < 1, n > 3 ? 1 : 2 >> > (a);
  ONE_THREAD(plain, a);
  Stream stream{0};
  operator<< <int>(stream, 1) << n << "k << <1, 1>> >(a)"[0];
  // k << <1, 1>> >(a);
}
#undef ONE_THREAD
