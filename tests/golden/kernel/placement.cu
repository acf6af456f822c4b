// A kernel announces itself as the first thing in its body: on one line, in namespaces, as a template, with
// launch bounds of its own, after a declaration without a body.
// expect: __global__ void CUI_LAUNCH_BOUNDS once() { CUI_KERNEL(#);}
// expect: __launch_bounds__(128, 2) bounded(int* a) { CUI_KERNEL(#); CUI_ACCESS(#, a[0]) = 1; }
// expect: __global__ void declared(int* a);
// expect: "outer::inner::named"
// expect: CUI_KERNEL_ENTRY("generic", 0, 20, 17)
__global__ void once() {}
__global__ void declared(int* a);
__global__ void __launch_bounds__(128, 2) bounded(int* a) { a[0] = 1; }
namespace outer {
namespace inner {
__global__ void named(int* a)
{
  a[1] = 1;
}
}
}
template <class T>
__global__ void generic(T* a) { a[2] = 1; }
__global__ void declared(int* a) { *a = 1; }
template __global__ void generic<float>(float*);
