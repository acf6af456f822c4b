// What is launched: a dependent name, a member of a namespace, a function pointer, a null argument.
// expect: CUI_LAUNCH(#, ns::kernel<T> CUI_LAUNCH_OPEN(<<<)
// expect: CUI_LAUNCH(#, pointer CUI_LAUNCH_OPEN(<<<)
// expect: (CUI_NULL(nullptr), CUI_NULL(NULL), CUI_NULL(0)));
namespace ns {
template <class T>
__global__ void kernel(T* a) { *a = 0; }
}
__global__ void three(int* a, float* b, char* c) {}
template <class T>
void launch(T* a) {
  ns::kernel<T><<<1, 1>>>(a);
}
void launchAll(int* a, float* b) {
  launch(a);
  launch(b);
  void (*pointer)(int*) = ns::kernel<int>;
  pointer<<<1, 1>>>(a);
  three<<<1, 1>>>(nullptr, NULL, 0);
}
