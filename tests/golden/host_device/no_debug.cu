// Without assertions libcu++ declares what they call itself, which costs nothing either.
// compile: -DNDEBUG
// standard: 17 20
// nvcc: no, the other cases have assertions
// cpu: no, libcu++ is the toolkit's
// expect: CUI_ACCESS(#, p[0]) = pair.second;
// expect-not: Clang rejects
#include <cassert>
#include <cuda/std/utility>
__global__ void withoutAssertions(int* p) {
  const cuda::std::pair<int, int> pair(1, 2);
  assert(pair.first == 1);
  p[0] = pair.second;
}
