// In a template, of a dependent type, and behind a wrapper of the user's with the same name.
// expect: if (CUI_API(#, cudaMalloc)(&items, n * sizeof(T)) != cudaSuccess) items = 0;
// expect: mine::cudaFree(1);
// expect-not: skipped
// expect: auto release = [](void* p) { CUI_API(#, cudaFree)(p); };
namespace mine {
void cudaFree(int);
}
template <class T>
struct Array {
  T* items;
  explicit Array(int n) {
    if (cudaMalloc(&items, n * sizeof(T)) != cudaSuccess) items = 0;
  }
  ~Array() { cudaFree(items); }
};
void use() {
  Array<float> a(4);
  Array<double> b(4);
  mine::cudaFree(1);
  auto release = [](void* p) { cudaFree(p); };
  release(0);
}
