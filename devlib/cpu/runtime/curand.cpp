// cuRAND's host functions: number i of a sequence is a mix of the seed and i, so that an offset costs
// nothing. The numbers are not cuRAND's; what it promises of them is: the distribution, and the same ones for
// the same seed.
#include <cmath>
#include <cstdint>

#include "cuinstrument/backend/cpu/toolkit/curand.h"
#include "graph.h"
#include "runtime.h"

/// Handed to programs as a handle.
struct curandGenerator_st {
  std::uint64_t seed = 0;
  std::uint64_t next = 0;  ///< number of the sequence
  cudaStream_t stream = nullptr;
  curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT;
};

namespace cui::cpu {
namespace {

constexpr double pi = 3.14159265358979323846;

/// SplitMix64's output function (public domain, S. Vigna).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
std::uint64_t draw(curandGenerator_st& from) {
  return mixed(mixed(from.seed + 0x9e3779b97f4a7c15u) + ++from.next * 0x9e3779b97f4a7c15u);
}
/// In (0, 1], as cuRAND's.
double uniform(curandGenerator_st& from) {
  return (static_cast<double>(draw(from) >> 11) + 1) * 0x1p-53;
}
float uniformFloat(curandGenerator_st& from) {
  return (static_cast<float>(draw(from) >> 40) + 1) * 0x1p-24F;
}
/// How many uniform numbers have a product above e to the minus lambda.
unsigned smallPoisson(curandGenerator_st& from, double lambda) {
  const double limit = std::exp(-lambda);
  double product = uniform(from);
  unsigned result = 0;
  while (product > limit) {
    ++result;
    product *= uniform(from);
  }
  return result;
}
/// A large mean is a sum of small ones.
unsigned poisson(curandGenerator_st& from, double lambda) {
  constexpr double most = 32;
  unsigned result = 0;
  while (lambda > most) {
    result += smallPoisson(from, most);
    lambda -= most;
  }
  return result + smallPoisson(from, lambda);
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type) {
  if (generator == nullptr) return CURAND_STATUS_TYPE_ERROR;
  if (type >= CURAND_RNG_QUASI_DEFAULT && type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64) {
    cuiUnsupported("curandCreateGenerator of quasi-random numbers");
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (type < CURAND_RNG_PSEUDO_DEFAULT || type > CURAND_RNG_PSEUDO_PHILOX4_32_10)
    return CURAND_STATUS_TYPE_ERROR;
  if (enter() != cudaSuccess) return CURAND_STATUS_INITIALIZATION_FAILED;
  *generator = new curandGenerator_st;
  (*generator)->type = type;
  return CURAND_STATUS_SUCCESS;
}

/// As cuRAND 10.4 has it.
bool takesAnyCount(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_MT19937 || type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
}

/// One value for each place; those that come in pairs need an even number of places, of most generators.
template <class T, class Value>
curandStatus_t fill(curandGenerator_t generator, T* out, std::size_t count, bool pairs, const Value& value) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (enter() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
  if (pairs && count % 2 != 0 && !takesAnyCount(generator->type)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  // A graph would have to make others each time.
  if (!isStream(generator->stream) || isCapturing(generator->stream)) return CURAND_STATUS_LAUNCH_FAILURE;
  for (std::size_t i = 0; i < count; ++i) out[i] = value(*generator);
  return CURAND_STATUS_SUCCESS;
}
template <class T, class Shape>
curandStatus_t fillNormal(curandGenerator_t generator, T* out, std::size_t count, double mean,
                          double deviation, const Shape& shape) {
  double other = 0;
  bool hasOther = false;
  return fill(generator, out, count, true, [&](curandGenerator_st& from) {
    hasOther = !hasOther;
    if (!hasOther) return static_cast<T>(shape(mean + deviation * other));
    const double radius = std::sqrt(-2 * std::log(uniform(from))), angle = 2 * pi * uniform(from);
    other = radius * std::sin(angle);
    return static_cast<T>(shape(mean + deviation * radius * std::cos(angle)));
  });
}
double itself(double x) {
  return x;
}
double exponential(double x) {
  return std::exp(x);
}

}  // namespace
}  // namespace cui::cpu

using namespace cui::cpu;

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->seed = seed;
  generator->next = 0;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->type == CURAND_RNG_PSEUDO_MT19937) return CURAND_STATUS_TYPE_ERROR;
  generator->next = offset;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_DYNAMIC)
    return CURAND_STATUS_OUT_OF_RANGE;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* out, size_t count) {
  return fill(generator, out, count, false,
              [](curandGenerator_st& from) { return static_cast<unsigned>(draw(from) >> 32); });
}
/// Only quasi-random generators of 64 bits make these.
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long*, size_t) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_TYPE_ERROR;
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, size_t count) {
  return fill(generator, out, count, false, uniformFloat);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out, size_t count) {
  return fill(generator, out, count, false, uniform);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* out, size_t count, float mean,
                                    float deviation) {
  return fillNormal(generator, out, count, mean, deviation, itself);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* out, size_t count, double mean,
                                          double deviation) {
  return fillNormal(generator, out, count, mean, deviation, itself);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* out, size_t count, float mean,
                                       float deviation) {
  return fillNormal(generator, out, count, mean, deviation, exponential);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* out, size_t count,
                                             double mean, double deviation) {
  return fillNormal(generator, out, count, mean, deviation, exponential);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* out, size_t count,
                                     double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return fill(generator, out, count, false, [=](curandGenerator_st& from) { return poisson(from, lambda); });
}

}  // extern "C"
