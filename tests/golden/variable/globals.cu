// __device__, __constant__ and __managed__ variables themselves; host constants that device code uses are
// constants, not memory.
// expect: CUI_ACCESS(#, counter) += 1;
// expect: CUI_ACCESS(#, table[i])
// expect: CUI_ACCESS(#, config.scale)
// expect: CUI_ACCESS(#, managed[i]) =
// expect: CUI_ACCESS(#, ns::hidden) = size;
// expect: int local[size];
// expect: CUI_GLOBAL(
struct Config { float scale; };
__device__ int counter;
__constant__ float table[16];
__constant__ Config config;
__managed__ float managed[16];
namespace ns {
__device__ int hidden;
}
const int size = 8;
static const float pi = 3.0f;
__global__ void globals() {
  int i = threadIdx.x;
  int local[size];
  local[0] = i;
  counter += 1;
  managed[i] = table[i] * config.scale * pi + local[0];
  ns::hidden = size;
}
