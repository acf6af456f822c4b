// The messages of checking macros are those of the program as written, also for calls that are wrapped.
#include <cstring>

#include "check.h"

static const char* message = "";

static bool failed(cudaError_t error, const char* text) {
  message = text;
  return error != cudaSuccess;
}
#define FAILED(...) failed((__VA_ARGS__), #__VA_ARGS__)
#define EXPLAIN(call) failed(call, "call: " #call ".")

__device__ int deviceText = 0;

#define DEVICE_CHECK(condition, last) deviceText += (condition) && (#condition)[sizeof(last) - 2] == '0'

__global__ void check(const int* values) {
  DEVICE_CHECK(values[threadIdx.x] >= 0, "values[threadIdx.x] >= 0");
}

int main() {
  int* values = nullptr;
  EXPECT(!FAILED(cudaMalloc((void**)&values, 4 * sizeof(int))));
  EXPECT(std::strcmp(message, "cudaMalloc((void**)&values, 4 * sizeof(int))") == 0);
  EXPECT(FAILED(cudaMemset(values, 0, 1 << 20)));
  EXPECT(std::strcmp(message, "cudaMemset(values, 0, 1 << 20)") == 0);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(!EXPLAIN(cudaMemset(values, 0, 4 * sizeof(int))));
  EXPECT(std::strcmp(message, "call: cudaMemset(values, 0, 4 * sizeof(int)).") == 0);
  EXPECT(!FAILED((check<<<1, 1>>>(values), cudaGetLastError())));
  EXPECT(std::strcmp(message, "(check<<<1, 1>>>(values), cudaGetLastError())") == 0);
  int count = 0;
  EXPECT(!FAILED(cudaMemcpyFromSymbol(&count, deviceText, sizeof count)));
  EXPECT(count == 1);
  EXPECT(!FAILED(cudaFree(values)));
  return verdict();
}
