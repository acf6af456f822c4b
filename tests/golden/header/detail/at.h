#ifndef AT_H
#define AT_H
template <class T>
__device__ T at(const T* p, int i) {
  return p[i];
}
#endif
