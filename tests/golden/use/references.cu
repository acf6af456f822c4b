// A use of a reference that may be bound to memory is an access; binding it is none.
// expect: float& r = a[i];
// expect: CUI_ACCESS(#, r) = 1;
// expect: T t = CUI_ACCESS(#, x);
// expect: CUI_ACCESS(#, x) = CUI_ACCESS(#, y);
// expect: CUI_ACCESS(#, p.x) += 1;
struct Point { float x, y; };
template <class T>
__device__ void exchange(T& x, T& y) {
  T t = x;
  x = y;
  y = t;
}
__device__ void move(Point& p) { p.x += 1; }
__global__ void references(float* a, Point* points) {
  int i = threadIdx.x;
  float& r = a[i];
  r = 1;
  exchange(a[i], a[i + 1]);
  move(points[i]);
}
