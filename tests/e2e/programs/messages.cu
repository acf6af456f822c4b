// The messages of checking macros are those of the program as written, also for calls that are wrapped.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <csignal>
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

#define IS_ZERO(array, i) assert(array[i] == 0)

#define LIMIT 0
#define VERIFY(condition) assert(condition)

// Texts of several parts, of which macros make some.
#define AS_TEXT_OF(x) #x
#define AS_TEXT(x) AS_TEXT_OF(x)
#define PLACE " at place " AS_TEXT(7)
#define SAYS(condition, said) deviceText += (condition) && ("no " #condition PLACE)[sizeof(said) - 2] == '7'
#define SAYS_EXPANDED(condition, said) \
  deviceText += (condition) && ("no " AS_TEXT(condition))[sizeof(said) - 2] == '0'

__host__ __device__ int asserted(const int* values) {
  assert(values[0] == 0 && "zero");
  IS_ZERO(values, 2 - 1);
  VERIFY(values[values[0] + 2] == LIMIT);
  return values[0];
}

// What the host's assert prints: a child fails it.
static bool printsWhenFailed(const int* values, const char* text) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    dup2(ends[1], 2);
    _exit(asserted(values));
  }
  close(ends[1]);
  char said[1000] = {};
  std::size_t size = 0;
  for (ssize_t more; size + 1 < sizeof said && (more = read(ends[0], said + size, sizeof said - 1 - size)) > 0;)
    size += static_cast<std::size_t>(more);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && std::strstr(said, text) != nullptr;
}

__global__ void check(const int* values) {
  asserted(values);
  DEVICE_CHECK(values[threadIdx.x] >= 0, "values[threadIdx.x] >= 0");
  SAYS(values[threadIdx.x] == LIMIT, "no values[threadIdx.x] == LIMIT at place 7");
  SAYS_EXPANDED(values[threadIdx.x + 1] == LIMIT, "no values[threadIdx.x + 1] == 0");
}

int main() {
  const int firstFails[3] = {1, 0, 0}, secondFails[3] = {0, 1, 0}, thirdFails[3] = {0, 0, 1};
  EXPECT(printsWhenFailed(firstFails, "Assertion `values[0] == 0 && \"zero\"' failed."));
  EXPECT(printsWhenFailed(secondFails, "Assertion `values[2 - 1] == 0' failed."));
  EXPECT(printsWhenFailed(thirdFails, "Assertion `values[values[0] + 2] == 0' failed."));
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
  EXPECT(count == 3);
  EXPECT(!FAILED(cudaFree(values)));
  return verdict();
}
