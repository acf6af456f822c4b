// Host side: the contexts of a device. Most programs have its primary one alone; each other one (cuCtxCreate)
// has kernels' variables, events and memory of its own, so it has a place of its own among runtime().devices,
// behind the devices' numbers. A context is known by the driver's number for it: another one may come to lie
// where it lay.
//
// Only the driver tells which context a thread has. A toolkit before 12.5 does not give out the driver's
// functions by version: there the first context is taken for all.
#pragma once

#include "cuinstrument/backend/cuda/host_runtime.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

#if CUDART_VERSION >= 12050
inline void* driverFunction(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found);
  return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? function : nullptr;
}
#else
inline void* driverFunction(const char*) {
  return nullptr;
}
#endif

template <class Function>
inline bool find(const char* name, Function& function) {
  function = reinterpret_cast<Function>(driverFunction(name));
  return function != nullptr;
}

/// A thread's context, or none.
struct CurrentContext {
  void* context;
  unsigned long long number;  ///< 0: none, or not known
};

/// With the lock held. Asks the runtime for the driver's functions the first time, so no error may be pending
/// then.
inline const DriverContexts& driverContexts() {
  DriverContexts& driver = runtime().driverContexts;
  if (driver.asked || cudaPeekAtLastError() != cudaSuccess) return driver;
  driver.asked = true;
  driver.known = find("cuCtxGetCurrent", driver.get) && find("cuCtxSetCurrent", driver.set) &&
                 find("cuCtxGetId", driver.number) &&
                 find("cuDevicePrimaryCtxGetState", driver.primaryState) &&
                 find("cuDevicePrimaryCtxRetain", driver.retainPrimary) &&
                 find("cuDevicePrimaryCtxRelease", driver.releasePrimary);
  return driver;
}

inline CurrentContext currentContext() {
  const DriverContexts& driver = driverContexts();
  CurrentContext current = {nullptr, 0};
  if (driver.known && (driver.get(&current.context) != 0 || current.context == nullptr ||
                       driver.number(current.context, &current.number) != 0))
    current = {nullptr, 0};
  return current;
}

/// Whether the known context is the device's primary one, which the runtime makes. (The driver's numbers of
/// devices are the runtime's: both leave out what CUDA_VISIBLE_DEVICES hides.)
inline bool isPrimary(const CurrentContext& current, int ordinal) {
  const DriverContexts& driver = driverContexts();
  unsigned int flags = 0;
  int active = 0;
  void* primary = nullptr;
  if (driver.primaryState(ordinal, &flags, &active) != 0 || active == 0 ||
      driver.retainPrimary(&primary, ordinal) != 0)
    return false;
  driver.releasePrimary(ordinal);
  return primary == current.context;
}

/// Whether the thread's context is the one that the device was readied in, as in most programs at each
/// launch: a primary context is no other one's place while it is known.
inline bool isFirstContext(const Device& device) {
  const DriverContexts& driver = driverContexts();
  void* context = nullptr;
  return driver.known && device.state == Device::ready && device.contextNumber != 0 && !device.mayEnd &&
         driver.get(&context) == 0 && context == device.driverContext;
}

/// Whether the context has been destroyed, and all of ours in it.
inline bool isContextGone(const Device& device) {
  unsigned long long number = 0;
  return device.contextNumber != 0 &&
         (driverContexts().number(device.driverContext, &number) != 0 || number != device.contextNumber);
}

/// Makes the device, with its context, the thread's current one.
inline bool makeCurrent(const Device& device) {
  if (device.contextNumber == 0) return cudaSetDevice(device.ordinal) == cudaSuccess;
  return !isContextGone(device) && driverContexts().set(device.driverContext) == 0;
}

/// The thread's device and context, as they were before.
class KeepCurrent {
 public:
  KeepCurrent() : context_(currentContext()), device_(-1) {
    if (context_.number == 0 && cudaGetDevice(&device_) != cudaSuccess) device_ = -1;
  }
  ~KeepCurrent() {
    if (context_.number != 0)
      driverContexts().set(context_.context);
    else if (device_ >= 0)
      cudaSetDevice(device_);
  }
  KeepCurrent(const KeepCurrent&) = delete;
  KeepCurrent& operator=(const KeepCurrent&) = delete;

 private:
  CurrentContext context_;
  int device_;
};

/// Where the context is, or will be, among runtime().devices. -1: there is no place left.
inline int placeOf(int ordinal, const CurrentContext& current) {
  Runtime& all = runtime();
  const Device& first = all.devices[ordinal];
  if (current.number == 0 || first.state == Device::unused || first.contextNumber == 0 ||
      first.contextNumber == current.number)
    return ordinal;
  int free = -1;
  for (int place = maxDevices - 1; place >= all.deviceCount; --place) {
    const Device& device = all.devices[place];
    if (device.state == Device::unused) free = place;
    if (device.state != Device::unused && device.contextNumber == current.number) return place;
  }
  return free;
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
