// y = a * x + y on the device, for n elements. Returns false if a CUDA call failed.
#pragma once

bool saxpy(int n, float a, const float* x, float* y);
