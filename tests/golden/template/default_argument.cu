// A default argument that only the definition of a template's member has: Clang refuses that, nvcc does not. Nothing is left out.
// cpu: no, g++ refuses that as well
// expect: __device__ T Table<T>::at(int i = 0) { return CUI_ACCESS(#, CUI_ACCESS(#, data)[i]); }
// expect: CUI_LAUNCH(0, read
// expect-not: rejects it
template <class T>
struct Table {
  T* data;
  __device__ T at(int i);
};
template <class T>
__device__ T Table<T>::at(int i = 0) { return data[i]; }
__global__ void read(Table<int> table, int* a) { a[0] = table.at(1); }
void launch(Table<int> table, int* a) { read<<<1, 1>>>(table, a); }
