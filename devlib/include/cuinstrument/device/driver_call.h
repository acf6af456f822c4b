// Calls of the driver API. Its header comes after this one, if the program has it at all, so nothing here can
// name its functions or types: CUI_DRIVER_API(n, cuMemAlloc)(&p, bytes) hands the function over, and the
// catalogue driver_api.def says by its name what the arguments are. CUI_DRIVER_LAUNCH(n, cuLaunchKernel)
// is what CUI_LAUNCH_CALL is for the runtime's.
#pragma once

#include <cstddef>

#include "cuinstrument/device/api.h"
#include "cuinstrument/device/launch_call.h"

namespace cui {
namespace api {

enum class DriverCategory { allocate, allocatePitch, free, copy, set, synchronize, none };
template <DriverCategory>
struct DriverTag {};

/// `written` may have one of the suffixes that cuda.h's macros append.
constexpr bool isDriverFunction(const char* written, const char* name) {
  for (; *name != 0; ++written, ++name)
    if (*written != *name) return false;
  return *written == 0 || (written[0] == '_' && (written[1] == 'v' || written[1] == 'p'));
}
constexpr DriverCategory cuiDriverCategory(const char* written) {
#define CUI_DRIVER_FUNCTION(name, category) \
  if (isDriverFunction(written, #name)) return DriverCategory::category;
#include "cuinstrument/device/driver_api.def"
  return DriverCategory::none;
}

/// Addresses of the device are integers in that interface, the host's are pointers.
inline uint64_t driverAddress(const volatile void* pointer) {
  return number(pointer);
}
inline uint64_t driverAddress(unsigned long long address) {
  return address;
}
constexpr format::Space driverSpace(const volatile void*) {
  return format::Space::generic;
}
constexpr format::Space driverSpace(unsigned long long) {
  return format::Space::global;
}
constexpr bool isHostAddress(const volatile void*) {
  return true;
}
constexpr bool isHostAddress(unsigned long long) {
  return false;
}
template <class To, class From>
constexpr cudaMemcpyKind driverDirection(To to, From from) {
  return isHostAddress(to)     ? cudaMemcpyDeviceToHost
         : isHostAddress(from) ? cudaMemcpyHostToDevice
                               : cudaMemcpyDeviceToDevice;
}
inline cudaStream_t driverStream() {
  return nullptr;
}
inline cudaStream_t driverStream(cudaStream_t stream) {
  return stream;
}

/// Driver and runtime number their errors alike.
template <class Result>
cudaError_t driverError(Result result) {
  return static_cast<cudaError_t>(static_cast<int>(result));
}

/// The function `function_`, whose parameters are those of the row `call_`.
template <class Unit, DriverCategory category, class Result, class... Parameters>
class DriverCall {
 public:
  DriverCall(Result (*function)(Parameters...), unsigned int call) : function_(function), call_(call) {}

  CUI_ONE_COPY Result operator()(Parameters... arguments) const {
    return run(DriverTag<category>(), arguments...);
  }

 private:
  Site site() const { return Site{&Unit::table(), call_, Unit::table().calls[call_].api}; }

  template <class Address, class... Rest>
  Result run(DriverTag<DriverCategory::allocate>, Address* address, std::size_t bytes, Rest... rest) const {
    const InnerCalls inner;  // to the CPU backend it is a call of the runtime
    const Result result = function_(address, bytes, rest...);
    // A failed call need not have set the address.
    if (driverError(result) == cudaSuccess)
      allocated(site(), cudaSuccess, reinterpret_cast<const void*>(driverAddress(*address)), bytes, 0,
                driverSpace(*address));
    return result;
  }
  template <class Address, class... Rest>
  Result run(DriverTag<DriverCategory::allocatePitch>, Address* address, std::size_t* pitch,
             std::size_t width, std::size_t height, Rest... rest) const {
    const InnerCalls inner;
    const Result result = function_(address, pitch, width, height, rest...);
    if (driverError(result) == cudaSuccess)
      allocated(site(), cudaSuccess, reinterpret_cast<const void*>(driverAddress(*address)), *pitch * height,
                *pitch, driverSpace(*address));
    return result;
  }
  template <class Address, class... Rest>
  Result run(DriverTag<DriverCategory::free>, Address address, Rest... rest) const {
    freeing(site().name, reinterpret_cast<const void*>(driverAddress(address)));
    const InnerCalls inner;
    return function_(address, rest...);
  }
  template <class To, class From, class... Stream>
  Result run(DriverTag<DriverCategory::copy>, To to, From from, std::size_t bytes, Stream... stream) const {
    const int64_t begin = cuiNow();
    const Result result = function_(to, from, bytes, stream...);
    conclude(result,
             Transfer{driverDirection(to, from), driverAddress(to), driverAddress(from), bytes,
                      driverStream(stream...)},
             begin, sizeof...(Stream) == 0);
    return result;
  }
  template <class To, class Value, class... Stream>
  Result run(DriverTag<DriverCategory::set>, To to, Value value, std::size_t count, Stream... stream) const {
    const int64_t begin = cuiNow();
    const Result result = function_(to, value, count, stream...);
    conclude(result,
             Transfer{memsetDirection, driverAddress(to), 0, count * sizeof(Value), driverStream(stream...)},
             begin, false);
    return result;
  }
  template <class... Stream>
  Result run(DriverTag<DriverCategory::synchronize>, Stream... stream) const {
    const int64_t begin = cuiNow();
    const Result result = function_(stream...);
    synchronized(site(), driverError(result), driverStream(stream...), sizeof...(Stream) == 0, begin);
    return result;
  }

  void conclude(Result result, const Transfer& transfer, int64_t begin, bool waits) const {
    moved(site(), driverError(result), transfer, begin);
    if (waits) afterSynchronize(driverError(result), false);
  }

  Result (*function_)(Parameters...);
  unsigned int call_;
};

}  // namespace api

using api::cuiDriverCategory;

template <class Calls>
class CuiDriverCall {
  using Unit = typename Calls::Unit;

 public:
  explicit constexpr CuiDriverCall(unsigned int call) : call_(call) {}
  template <api::DriverCategory category, class Result, class... Parameters>
  api::DriverCall<Unit, category, Result, Parameters...> cuiOf(Result (*function)(Parameters...)) const {
    return api::DriverCall<Unit, category, Result, Parameters...>(function, call_);
  }

 private:
  unsigned int call_;
};

/// cuLaunchKernel and cuLaunchCooperativeKernel, whose first parameters are the same, and cuLaunchKernelEx.
template <class ThisUnit, class Result, class... Parameters>
class DriverLaunch {
 public:
  DriverLaunch(Result (*function)(Parameters...), unsigned int launch)
      : function_(function), launch_(launch) {}

  // The last parameters have their types, so that a literal 0 is a null pointer.
  template <class Kernel>
  CUI_ONE_COPY Result operator()(Kernel kernel, unsigned gridX, unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                 cudaStream_t stream, void** parameters, void** extra) const {
    const LaunchScope scope(ThisUnit::launchUnit(), launch_, dim3(gridX, gridY, gridZ),
                            dim3(blockX, blockY, blockZ), sharedBytes, stream);
    return function_(kernel, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, parameters,
                     extra);
  }
  template <class Kernel>
  CUI_ONE_COPY Result operator()(Kernel kernel, unsigned gridX, unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                 cudaStream_t stream, void** parameters) const {
    const LaunchScope scope(ThisUnit::launchUnit(), launch_, dim3(gridX, gridY, gridZ),
                            dim3(blockX, blockY, blockZ), sharedBytes, stream);
    return function_(kernel, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, parameters);
  }
  template <class Config, class Kernel>
  CUI_ONE_COPY Result operator()(const Config* config, Kernel kernel, void** parameters, void** extra) const {
    const Config none = {};  // a null configuration is for the original to refuse
    const Config& c = config != nullptr ? *config : none;
    const LaunchScope scope(ThisUnit::launchUnit(), launch_, dim3(c.gridDimX, c.gridDimY, c.gridDimZ),
                            dim3(c.blockDimX, c.blockDimY, c.blockDimZ), c.sharedMemBytes, c.hStream);
    return function_(config, kernel, parameters, extra);
  }

 private:
  Result (*function_)(Parameters...);
  unsigned int launch_;
};

template <class Launches>
class CuiDriverLaunch {
  using Unit = typename Launches::Unit;

 public:
  explicit constexpr CuiDriverLaunch(unsigned int launch) : launch_(launch) {}
  template <class Result, class... Parameters>
  DriverLaunch<Unit, Result, Parameters...> cuiOf(Result (*function)(Parameters...)) const {
    return DriverLaunch<Unit, Result, Parameters...>(function, launch_);
  }

 private:
  unsigned int launch_;
};

}  // namespace cui

// `name` may be one of cuda.h's macros: as text it is what the user wrote, as a function what it expands to.
#define CUI_DRIVER_API(n, name) \
  ::cui::CuiDriverCall<::cui::CuiCall>(n).cuiOf<::cui::cuiDriverCategory(#name)>(&name)
/// Behind a `::` of the user's.
#define CUI_GLOBAL_DRIVER_API(n, name) \
  cui::CuiDriverCall<::cui::CuiCall>(n).cuiOf<::cui::cuiDriverCategory(#name)>(&::name)
#define CUI_DRIVER_LAUNCH(n, name) ::cui::CuiDriverLaunch<::cui::CuiLaunchCall>(n).cuiOf(&name)
#define CUI_GLOBAL_DRIVER_LAUNCH(n, name) cui::CuiDriverLaunch<::cui::CuiLaunchCall>(n).cuiOf(&::name)
