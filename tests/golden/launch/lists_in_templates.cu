// A list whose parameter's type differs between the instantiations of the template it is in: there is no one
// name for it.
// cpu: no, its list has no type there
// expect: ({p, n}, CUI_LIST(#, (int), {n})));
template <class T>
struct Range {
  T* data;
  int size;
};
template <class T>
__global__ void anyRange(Range<T> r, int n) {
  r.data[n] = 0;
}
template <class T>
void differing(T* p, int n) {
  anyRange<T><<<1, 1>>>({p, n}, {n});
}
void instantiate(float* x, double* y) {
  differing(x, 1);
  differing(y, 1);
}
