// An include that leaves a folder again: the mirror has that folder, or the compiler could not pass it.
// expect: #include "<out>/parent_folder.cu.d<dir>//detail/../up.cuh"
#include "detail/../up.cuh"
__global__ void runUp(float* p) {
  p[0] = up(p);
}
