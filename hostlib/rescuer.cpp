// A program of its own, which libcuinstrument.a carries and starts when a device has failed (rescue.h): a
// failed context gives nothing out, but its memory is there as long as its process is, and another process
// can map it. Knows the driver by its C interface only, which it looks for at run time; needs nothing else.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "hostlib/rescue_protocol.h"

namespace {

using namespace cui::hostlib;

struct IpcHandle {
  unsigned char bytes[CUI_EXPORT_HANDLE_BYTES];  // a CUipcMemHandle
};
struct Uuid {
  char bytes[16];
};
using DevicePointer = unsigned long long;

/// The functions of libcuda.so.1 that are called; all return 0 on success.
struct Driver {
  int (*init)(unsigned);
  int (*deviceCount)(int*);
  int (*deviceUuid)(Uuid*, int);
  int (*retainContext)(void**, int);
  int (*setContext)(void*);
  int (*openHandle)(DevicePointer*, IpcHandle, unsigned);
  int (*copyToHost)(void*, DevicePointer, std::size_t);
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool load(Driver& driver) {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  return library != nullptr && find(library, "cuInit", driver.init) &&
         find(library, "cuDeviceGetCount", driver.deviceCount) &&
         (find(library, "cuDeviceGetUuid_v2", driver.deviceUuid) ||
          find(library, "cuDeviceGetUuid", driver.deviceUuid)) &&
         find(library, "cuDevicePrimaryCtxRetain", driver.retainContext) &&
         find(library, "cuCtxSetCurrent", driver.setContext) &&
         find(library, "cuIpcOpenMemHandle_v2", driver.openHandle) &&
         find(library, "cuMemcpyDtoH_v2", driver.copyToHost);
}

bool receive(void* to, std::size_t bytes) {
  for (char* at = static_cast<char*>(to); bytes != 0;) {
    const ssize_t some = read(rescueSocket, at, bytes);
    if (some <= 0) return false;
    at += some;
    bytes -= static_cast<std::size_t>(some);
  }
  return true;
}

bool answer() {
  return write(rescueSocket, &rescueDone, 1) == 1;
}

/// Makes the device of that name the current one.
bool choose(const Driver& driver, const char (&uuid)[16]) {
  int count = 0;
  if (driver.init(0) != 0 || driver.deviceCount(&count) != 0) return false;
  for (int device = 0; device < count; ++device) {
    Uuid found;
    void* context = nullptr;
    if (driver.deviceUuid(&found, device) == 0 && std::memcmp(found.bytes, uuid, sizeof uuid) == 0)
      return driver.retainContext(&context, device) == 0 && driver.setContext(context) == 0;
  }
  return false;
}

}  // namespace

int main() {
  static RescueBegin begin;
  static DevicePointer memory[CUI_MOST_EXPORTS];
  Driver driver;
  void* const window = mmap(nullptr, rescueWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED, rescueWindow, 0);
  if (window == MAP_FAILED || !receive(&begin, sizeof begin) || begin.count > CUI_MOST_EXPORTS ||
      !load(driver) || !choose(driver, begin.uuid))
    return 1;
  for (std::uint32_t i = 0; i < begin.count; ++i) {
    IpcHandle handle;
    std::memcpy(handle.bytes, begin.handles[i], sizeof handle.bytes);
    constexpr unsigned lazyPeerAccess = 1;
    if (driver.openHandle(&memory[i], handle, lazyPeerAccess) != 0) return 1;
  }
  if (!answer()) return 1;
  for (RescueRead request; receive(&request, sizeof request);)
    if (request.which >= begin.count || request.bytes > rescueWindowBytes ||
        driver.copyToHost(window, memory[request.which] + request.offset,
                          static_cast<std::size_t>(request.bytes)) != 0 ||
        !answer())
      return 1;
  return 0;  // the program is done
}
