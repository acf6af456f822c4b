// What std::move and its kind give back is the object itself: naming it there reads nothing, and what is done with it is recorded.
// cpu: no, libcu++ is not there without a toolkit
// standard: 17 20
// expect: auto&& there = cuda::std::move(pairs[i]);
// expect: Pair copy = cuda::std::move(CUI_ACCESS(#, pairs[1]));
// expect: take(cuda::std::forward<Pair>(pairs[2]));
// expect: const Pair& seen = cuda::std::as_const(pairs[3]);
// expect: Pair other = std::move(CUI_ACCESS(#, pairs[4]));
#include <cuda/std/utility>
#include <utility>
struct Pair {
  int first, second;
};
__device__ void take(Pair&& pair) {
  pair.first = 1;
}
__global__ void forwarded(Pair* pairs, int i) {
  auto&& there = cuda::std::move(pairs[i]);
  there.first = 1;
  Pair copy = cuda::std::move(pairs[1]);
  take(cuda::std::forward<Pair>(pairs[2]));
  const Pair& seen = cuda::std::as_const(pairs[3]);
  Pair other = std::move(pairs[4]);
  there.second = copy.first + seen.second + other.first;
}
