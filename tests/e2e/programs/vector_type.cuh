// A class used in kernels, in a header of its own: members reached through an implicit this.
#pragma once

struct Accumulator {
  float total;
  int count;

  __host__ __device__ void add(float value) {
    total += value;
    this->count++;
  }
  __host__ __device__ float mean() const { return total / count; }
};

__host__ __device__ inline void exchange(float& a, float& b) {
  const float old = a;
  a = b;
  b = old;
}
