// Default arguments, evaluated by those who call the function: what they access in device code is recorded where it is written. One that
// no call wants accesses nothing.
// expect: __device__ int plain(int x = CUI_ACCESS(#, table[1]), const int* p = &table[2]) { return x + CUI_ACCESS(#, p[0]); }
// expect: __device__ int declared(int x = CUI_ACCESS(#, table[3]));
// expect: __device__ T ofTemplate(T x, T y = CUI_ACCESS(#, Values<T>::of(table)[4])) { return x + y; }
// expect: __device__ int unused(T x = Values<T>::of(table)[5]) { return x; }
// expect: int ofHost(int x = hostTable[6]) { return x; }
// expect: __device__ int method(int x = CUI_ACCESS(#, table[7])) const { return x; }
__device__ int table[8];
int hostTable[8];
template <class T> struct Values {
  __device__ static T* of(int* p) { return reinterpret_cast<T*>(p); }
  __device__ int method(int x = table[7]) const { return x; }
};
__device__ int plain(int x = table[1], const int* p = &table[2]) { return x + p[0]; }
__device__ int declared(int x = table[3]);
__device__ int declared(int x) { return x; }
template <class T> __device__ T ofTemplate(T x, T y = Values<T>::of(table)[4]) { return x + y; }
template <class T> __device__ int unused(T x = Values<T>::of(table)[5]) { return x; }
int ofHost(int x = hostTable[6]) { return x; }
__global__ void k(int* out) {
  out[0] = plain() + declared() + ofTemplate(1) + unused(2) + Values<int>().method();
}
void use(int* out) { k<<<1, 32>>>(out + ofHost()); }
