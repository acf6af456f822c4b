// Ranges and marks that the program makes with NVTX, as phases of the trace.
//
// NVTX is headers only: before the first call a program looks for a tool, last of all in a variable of its
// own, InitializeInjectionNvtx2_fnptr. That is where we are found, unless another tool is there already; one
// that the environment names (Nsight Systems) comes first. The few types that this needs are NVTX 3's binary
// interface, repeated here as our build needs no CUDA toolkit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cui::hostlib::nvtx {

using Function = void (*)();
using FunctionTable = Function**;  ///< by number, pointers to where a tool puts its functions

struct ExportedCallbacks {
  std::size_t structSize;
  int (*getModuleFunctionTable)(std::uint32_t module, FunctionTable* table, unsigned* size);
};
using GetExportTable = const void* (*)(std::uint32_t table);
using Initialize = int (*)(GetExportTable);

struct EventAttributes {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t colorType;
  std::uint32_t color;
  std::int32_t payloadType, reserved;
  std::uint64_t payload;
  std::int32_t messageType;
  const void* message;
};
static_assert(offsetof(EventAttributes, message) == 40 && sizeof(EventAttributes) == 48);

constexpr std::uint32_t callbacksTable = 1, coreModule = 1, core2Module = 5;
enum Core : unsigned {
  markEx = 1,
  markA,
  markW,
  rangeStartEx,
  rangeStartA,
  rangeStartW,
  rangeEnd,
  rangePushEx,
  rangePushA,
  rangePushW,
  rangePop
};
enum Core2 : unsigned {
  domainMarkEx = 1,
  domainRangeStartEx,
  domainRangeEnd,
  domainRangePushEx,
  domainRangePop,
  domainRegisterStringA = 10,
  domainRegisterStringW,
  domainCreateA,
  domainCreateW
};
enum MessageType : std::int32_t { ascii = 1, wide, registered };
constexpr int noPushPopTracking = -2;

/// Takes the program's calls; 1 if that could be done.
int initialize(GetExportTable getExportTable);
/// Is found by the program's NVTX, if it has any and no tool was linked into it.
void offer();

}  // namespace cui::hostlib::nvtx
