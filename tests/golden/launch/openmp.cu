// omp.h is the host compiler's; what is around a launch does not matter.
#include <omp.h>

__global__ void half(int* p) {
  p[threadIdx.x] /= 2;
}

void halve(int* p, int n) {
  // expect: CUI_LAUNCH(0, half CUI_LAUNCH_OPEN
#pragma omp parallel num_threads(2)
  half<<<1, n / 2>>>(p + omp_get_thread_num() * (n / 2));
}
