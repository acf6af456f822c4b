// One element's work: device code in a header, instrumented as well.
#pragma once

__device__ inline void scaleElement(float* data, int i) {
  data[i] *= FACTOR;
}
