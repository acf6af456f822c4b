#pragma once
#define PIXEL(i) image[i]
__device__ inline void clearPixel(int* image) { PIXEL(2) = 0; }
