// Library functions that take an argument as whatever it is (`T&&`) read it, to hand it on or to make a value of it: what
// a group exchanges, the parts of a pair. What they take by reference (`T&`) they may write, and what they give nothing
// back for.
// standard: 17 20
// cpu: no, they are not there without a toolkit
// expect: load, generic, instrumented, 4, 0, "forwarded", "in[0]", "in", "0", "float"
// expect: load, generic, instrumented, 4, 0, "forwarded", "in[1]", "in", "1", "float"
// expect: load, generic, instrumented, 4, 0, "forwarded", "in[2]", "in", "2", "float"
// expect: load, generic, instrumented, 4, 0, "forwarded", "in[3]", "in", "3", "float"
// expect: load, generic, instrumented, 4, 0, "forwarded", "in[4]", "in", "4", "float"
// expect: load, generic, instrumented, 4, 0, "forwarded", "in[5]", "in", "5", "float"
// expect: rmw, generic, instrumented, 4, 0, "forwarded", "in[6]", "in", "6", "float"
// expect: load, generic, instrumented, 4, 0, "forwarded", "in[7]", "in", "7", "float"
// expect: rmw, generic, instrumented, 4, 0, "forwarded", "in[8]", "in", "8", "float"
// expect: rmw, generic, instrumented, 4, 0, "forwarded", "in[9]", "in", "9", "float"
// expect: rmw, generic, instrumented, 4, 0, "forwarded", "in[10]", "in", "10", "float"
#include <cooperative_groups.h>
#include <cuda/std/concepts>
#include <cuda/std/functional>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/utility>
namespace cg = cooperative_groups;
__global__ void forwarded(float* out, float* in) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  out[0] = tile.shfl(in[0], 0);
  auto pair = cuda::std::make_pair(in[1], 2);
  cuda::std::tuple<float, int> made(in[2], 3);
  out[1] = pair.first + cuda::std::get<0>(made) + cuda::std::plus<>{}(in[3], in[4]);
  cuda::std::optional<float> perhaps = in[5];
  out[2] = *perhaps + cuda::std::exchange(in[6], in[7]);
  cuda::std::tie(in[8], out[3]) = cuda::std::make_tuple(1.f, 2.f);
  cuda::std::ranges::swap(in[9], in[10]);
}
