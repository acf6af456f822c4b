// Iterators of library code that hold pointers, used and handed to library code, and its objects that keep pointers: what
// they access is not recorded, and rows say so. What gives back elements, or counts, has none.
// standard: 17 20
// cpu: no, CUB is not there without a toolkit
// expect: "iterators", "squares[i]", "squares", "i", "float", "", "", "by an iterator of library code"
// expect: "iterators", "*cached", "*cached"
// expect: "an iterator handed to library code"
// expect: "a pointer that an object of library code keeps"
// expect: store, generic, skipped, 0, 0, "iterators", "written[i]"
// expect-not: "count[i]"
// expect-not: "span[i]", "span", "i", "float", "", "", "by
// expect-not: "thrust::make_transform_iterator(in, square)"
// expect: = CUI_ACCESS(#, thrust::get<0>(zipped[i]));
#include <cub/block/block_load.cuh>
#include <cub/grid/grid_queue.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <cub/iterator/cache_modified_output_iterator.cuh>
#include <cuda/std/span>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/tuple.h>
struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
__global__ void iterators(const float* in, float* out, int i) {
  const auto squares = thrust::make_transform_iterator(in, Square());
  out[0] = squares[i];
  out[1] = thrust::reduce(thrust::seq, squares, squares + 4);
  cub::CacheModifiedInputIterator<cub::LOAD_CG, float> cached(in);
  out[2] = *cached + cached[2];
  cub::CacheModifiedOutputIterator<cub::STORE_CS, float> written(out);
  written[i] = 3;
  thrust::counting_iterator<int> count(3);
  out[3] = count[i];
  auto zipped = thrust::make_zip_iterator(thrust::make_tuple(in, out));
  out[4] = thrust::get<0>(zipped[i]);
  cuda::std::span<float> span(out, 4);
  out[5] = span[i];
}
__global__ void keeping(const float* in, int* counters, float* out) {
  using Load = cub::BlockLoad<float, 32, 4>;
  __shared__ typename Load::TempStorage temporary;
  float items[4];
  Load(temporary).Load(thrust::make_transform_iterator(in, Square()), items);
  cub::GridQueue<int> queue(counters);
  out[0] = items[0] + static_cast<float>(queue.Drain(1));
}
