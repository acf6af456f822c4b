// A libcuda.so.1 for rescue_test.cpp: one device, whose exported memory is files. A handle is a file's name.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace {
struct Handle {
  char path[64];
};
}  // namespace

extern "C" {

int cuInit(unsigned) {
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = 2;
  return 0;
}
/// Of the second device all bytes are 7.
int cuDeviceGetUuid_v2(char* uuid, int device) {
  std::memset(uuid, device == 1 ? 7 : 1, 16);
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = nullptr;
  return device == 1 ? 0 : 1;
}
int cuCtxSetCurrent(void*) {
  return 0;
}
int cuIpcOpenMemHandle_v2(unsigned long long* memory, Handle handle, unsigned) {
  const int file = open(handle.path, O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (file < 0 || fstat(file, &status) != 0) return 1;
  void* const at = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  *memory = reinterpret_cast<unsigned long long>(at);
  return at == MAP_FAILED ? 1 : 0;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, std::size_t bytes) {
  if (const char* behaviour = std::getenv("CUI_FAKE_DRIVER")) {
    if (std::strcmp(behaviour, "hangs") == 0) pause();
    if (std::strcmp(behaviour, "dies") == 0) _exit(1);
    if (std::strcmp(behaviour, "refuses") == 0) return 1;
  }
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}
}
