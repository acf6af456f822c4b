// References and variables whose initialiser stands in parentheses. While the type is not known, Clang has a list there, which
// has no type.
// expect: first) += CUI_ACCESS(
// expect: T copy(CUI_ACCESS(
template <typename T>
struct Row {
  T* data;
  T& first;
  __device__ explicit Row(T* p) : data(p), first(p[0]) {}
};

template <typename T>
__global__ void parenthesised(T* data, int n) {
  T& first(data[0]);
  first += data[n];
  T& again(first);
  again += T(1);
  T copy(data[2]);
  T own(copy);
  T& local(own);
  local += T(1);
  Row<T> row(data);
  for (int i(sizeof(T)); i < n; ++i) row.first += local;
}

template <typename T>
__device__ void neverUsed(Row<T> row, int n) {
  typename T::Element& last(row.data[n]);
  last = row.first;
}

void launch(float* data) { parenthesised<<<1, 32>>>(data, 3); }
