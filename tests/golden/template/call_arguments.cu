// Elements as arguments: by value they are loads, by reference they are bound, and the pattern cannot tell.
// expect: byValue(CUI_ACCESS(#, a[0]));
// expect: byReference(a[1]);
template <class T>
__device__ T byValue(T x) { return x; }
template <class T>
__device__ void byReference(T& x) { x = 0; }
template <class T>
__global__ void arguments(T* a) {
  byValue(a[0]);
  byReference(a[1]);
}
void run(int* a) { arguments<<<1, 1>>>(a); }
