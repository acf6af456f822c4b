// What every example needs on the host: error checks, the size argument and the verdict. No device code.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

/// Ends the program with the error's name and place unless `call` succeeded.
#define CUDA_CHECK(call)                                                                     \
  do {                                                                                       \
    const cudaError_t status_ = (call);                                                      \
    if (status_ != cudaSuccess) {                                                            \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, cudaGetErrorName(status_), \
                   cudaGetErrorString(status_));                                             \
      std::exit(1);                                                                          \
    }                                                                                        \
  } while (0)

/// The first argument as a size from 1 to `maximum`, or `fallback` without one; usage errors exit with 2.
inline int sizeArgument(int argc, char** argv, int fallback, int maximum) {
  if (argc < 2) return fallback;
  char* end = nullptr;
  const long value = std::strtol(argv[1], &end, 10);
  if (argc > 2 || *end != '\0' || value < 1 || value > maximum) {
    std::fprintf(stderr, "usage: %s [size from 1 to %d]\n", argv[0], maximum);
    std::exit(2);
  }
  return static_cast<int>(value);
}

constexpr int divideRoundingUp(int dividend, int divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// Prints the program's one line; the result is main()'s exit code.
inline int report(const char* program, int size, bool correct) {
  std::printf("%s: size %d: %s\n", program, size, correct ? "correct" : "WRONG");
  return correct ? 0 : 1;
}
