// Memory that a library's containers allocate has the containers' names.
#include <containers.h>

#include "check.h"

__global__ void fill(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x;
}

struct Fields {
  explicit Fields(int n) : density(n) {}
  rmm::device_uvector<double> density;
  rmm::device_uvector<int> index{0};
};

template <class T>
rmm::device_uvector<T>* unnamed(int n) {
  return new rmm::device_uvector<T>(n);
}

int main() {
  rmm::device_uvector<float> numbers(32);
  rmm::device_uvector<float> grown(0), same(16);
  Fields fields(8);
  fields.index.resize(4);
  fields.index.resize(2);
  grown.resize(64);
  rmm::device_uvector<short>* nameless = unnamed<short>(10);
  fill<<<1, 32>>>(numbers.data(), 32);
  float last = 0;
  CUDA_CHECK(cudaMemcpy(&last, numbers.data() + 31, sizeof(last), cudaMemcpyDeviceToHost));
  EXPECT(last == 31);
  grown.resize(128);
  delete nameless;
  return verdict();
}
