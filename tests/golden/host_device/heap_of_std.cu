// `malloc` and `free` where all of `std` is known: one function each, though Clang's headers have two.
// expect: CUI_ACCESS(#, *own) = 1;
// expect: CUI_ACCESS(#, all[0]) = own;
// expect: std::free(CUI_ACCESS(#, all[1]));
// expect: free(CUI_ACCESS(#, all[2]));
// expect-not: Clang rejects
#include <algorithm>
#include <cstdlib>
using namespace std;
__global__ void allocate(int** all) {
  int* own = static_cast<int*>(malloc(sizeof(int)));
  *own = 1;
  all[0] = own;
  all[3] = static_cast<int*>(std::malloc(sizeof(int)));
  std::free(all[1]);
  free(all[2]);
}
void* allocateOnHost() { return malloc(4); }
