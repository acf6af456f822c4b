#pragma once
// No device code: used where it is. No other case's, so that all can be compiled as one.
inline __host__ __device__ int next(int x) { return x + 1; }
