// Objects without anything in them, as tags and functors are: nothing is moved, whatever is done with them.
// standard: 17 20
// cpu: no, Thrust is not there without a toolkit
// expect: thrust::sort(thrust::seq, keys, keys + 4, Less());
// expect: const Less less = order[i];
// expect-not: "thrust::seq"
// expect-not: "order[i]"
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};
__global__ void emptyObjects(int* keys, Less* order, int i) {
  thrust::sort(thrust::seq, keys, keys + 4, Less());
  const Less less = order[i];
  keys[2] = less(keys[3], 1);
}
