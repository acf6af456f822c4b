#pragma once
// No device code: used where it is.
inline __host__ __device__ int plain(int x) { return x + 1; }
