// cuRAND's host functions: distributions, sequences, errors; a kernel counts points in a circle.
#include <curand.h>

#include <cmath>

#include "check.h"

constexpr int count = 1 << 16, threads = 256;
#define RAND_CHECK(...) EXPECT((__VA_ARGS__) == CURAND_STATUS_SUCCESS)

__global__ void countInside(const float* x, const float* y, int* inside) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int hits = __syncthreads_count(x[i] * x[i] + y[i] * y[i] <= 1);
  if (threadIdx.x == 0) atomicAdd(inside, hits);
}

struct Moments {
  double mean = 0, deviation = 0, least = 1e300, most = -1e300;
  template <class T>
  explicit Moments(const T* values) {
    double squares = 0;
    for (int i = 0; i < count; ++i) {
      const double value = static_cast<double>(values[i]);
      mean += value / count;
      squares += value * value / count;
      least = std::fmin(least, value);
      most = std::fmax(most, value);
    }
    deviation = std::sqrt(squares - mean * mean);
  }
  // Four deviations of a mean of so many.
  bool is(double itsMean, double itsDeviation) const {
    const double error = 4 * itsDeviation / std::sqrt(count);
    return std::fabs(mean - itsMean) < error && std::fabs(deviation / itsDeviation - 1) < 0.05;
  }
};

void checkDistributions(curandGenerator_t generator) {
  float* values;
  double* wide;
  unsigned* whole;
  CUDA_CHECK(cudaMalloc(&values, count * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&wide, count * sizeof(double)));
  CUDA_CHECK(cudaMallocManaged(&whole, count * sizeof(unsigned)));
  static float host[count];
  RAND_CHECK(curandGenerateUniform(generator, values, count));
  CUDA_CHECK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  const Moments uniform(host);
  EXPECT(uniform.is(0.5, std::sqrt(1 / 12.0)) && uniform.least > 0 && uniform.most <= 1);
  RAND_CHECK(curandGenerateNormal(generator, values, count, 3, 2));
  CUDA_CHECK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(Moments(host).is(3, 2));
  RAND_CHECK(curandGenerateUniformDouble(generator, wide, count));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(Moments(wide).is(0.5, std::sqrt(1 / 12.0)));
  RAND_CHECK(curandGenerateNormalDouble(generator, wide, count, -1, 0.5));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(Moments(wide).is(-1, 0.5));
  RAND_CHECK(curandGenerateLogNormalDouble(generator, wide, count, 0, 0.25));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(Moments(wide).is(std::exp(0.03125), std::exp(0.03125) * std::sqrt(std::exp(0.0625) - 1)));
  RAND_CHECK(curandGeneratePoisson(generator, whole, count, 100));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(Moments(whole).is(100, 10));
  RAND_CHECK(curandGenerate(generator, whole, count));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(Moments(whole).is(2147483647.5, 4294967296.0 / std::sqrt(12.0)));
  CUDA_CHECK(cudaFree(values));
  CUDA_CHECK(cudaFree(wide));
  CUDA_CHECK(cudaFree(whole));
}

void checkSequences() {
  curandGenerator_t one, other;
  RAND_CHECK(curandCreateGeneratorHost(&one, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  RAND_CHECK(curandCreateGeneratorHost(&other, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  unsigned a[8], b[8];
  RAND_CHECK(curandSetPseudoRandomGeneratorSeed(one, 5));
  RAND_CHECK(curandSetPseudoRandomGeneratorSeed(other, 5));
  RAND_CHECK(curandGenerate(one, a, 8));
  RAND_CHECK(curandSetGeneratorOffset(other, 3));
  RAND_CHECK(curandGenerate(other, b, 5));
  for (int i = 0; i < 5; ++i) EXPECT(b[i] == a[i + 3]);
  RAND_CHECK(curandSetPseudoRandomGeneratorSeed(other, 6));
  RAND_CHECK(curandGenerate(other, b, 8));
  int same = 0;
  for (int i = 0; i < 8; ++i) same += a[i] == b[i];
  EXPECT(same == 0);
  float odd[3];
  RAND_CHECK(curandGenerateNormal(one, odd, 3, 0, 1));
  curandGenerator_t pairs;
  RAND_CHECK(curandCreateGeneratorHost(&pairs, CURAND_RNG_PSEUDO_XORWOW));
  EXPECT(curandGenerateNormal(pairs, odd, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  RAND_CHECK(curandDestroyGenerator(pairs));
  EXPECT(curandGeneratePoisson(one, a, 8, 0) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandGenerateUniform(nullptr, odd, 2) == CURAND_STATUS_NOT_INITIALIZED);
  RAND_CHECK(curandDestroyGenerator(one));
  RAND_CHECK(curandDestroyGenerator(other));
}

int main() {
  curandGenerator_t generator;
  RAND_CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  RAND_CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
  checkDistributions(generator);
  checkSequences();
  float* points;
  int* inside;
  CUDA_CHECK(cudaMalloc(&points, 2 * count * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&inside, sizeof(int)));
  *inside = 0;
  RAND_CHECK(curandGenerateUniform(generator, points, 2 * count));
  countInside<<<count / threads, threads>>>(points, points + count, inside);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(std::fabs(4.0 * *inside / count - 3.14159) < 0.03);
  RAND_CHECK(curandDestroyGenerator(generator));
  return verdict();
}
