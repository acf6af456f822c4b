// A template for both sides that only the host instantiates with its library's classes: no device comes to what
// their methods do, and the same text is recorded in the instantiations that the device has. It had cost them
// their record.
// expect: return CUI_ACCESS(#, CUI_ACCESS(#, rows.values)[i]) + CUI_ACCESS(#, rows.count);
// expect-not: a method of library code is called on it
// expect-not: passed by reference to library code
#include <cuda_runtime.h>

#include <string>
#include <vector>

struct HostRows {
  std::vector<int> values;
  int count;
};
struct DeviceRows {
  const int* values;
  int count;
};

template <class Rows>
__host__ __device__ int at(const Rows& rows, int i) {
  return rows.values[i] + rows.count;
}

template <class Container>
__host__ __device__ auto sizeOf(const Container& container) -> decltype(container.size()) {
  return container.size();
}

template <class Text>
__host__ __device__ bool same(const Text& a, const Text& b) {
  return a == b;
}

__global__ void kernel(const DeviceRows* rows, int* out, const int* names) {
  out[threadIdx.x] = at(rows[blockIdx.x], threadIdx.x) + same(names[0], names[1]);
}

int onHost(const HostRows& rows, const std::string& name) {
  return at(rows, 0) + static_cast<int>(sizeOf(rows.values)) + same(name, name);
}
