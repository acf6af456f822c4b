// A unit as the CUDA backend's host side knows it, wherever that is compiled (host_side.h).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "cuinstrument/format/unit.h"
#include "cuinstrument/host/abi.h"

namespace cui {
namespace backend {

struct DeviceContext;

/// A row of the epilogue's CUI_TABLE_GLOBALS. `address` is the host-side symbol, or, of a __managed__
/// variable, the address that host and device share.
struct GlobalEntry {
  unsigned int variable;
  const void* address;
  std::size_t bytes;
};
template <class T>
const void* globalAddress(const volatile T& variable) {
  return const_cast<const char*>(&reinterpret_cast<const volatile char&>(variable));
}

/// A graph's kernel node, made or changed by a call that succeeded.
struct GraphNode {
  cudaGraphNode_t node;
  const void* kernel;  ///< as the runtime's functions take it
  dim3 grid, block;
  std::size_t sharedBytes;
  CuiNodeChange change;
  int64_t beginNs;
};

/// An object in each unit's anonymous namespace, initialised before any code runs. Part of host_library.h's
/// interface. The first two are there in each version of it.
struct HostUnit {
  const format::UnitTable& (*table)();
  bool linked;              ///< the host side's own
  const void* (*symbol)();  ///< the unit's __constant__ DeviceUnit
  const GlobalEntry* (*globals)(std::size_t&);
  void (*calibrate)(DeviceContext*, cudaStream_t);  ///< launches calibrateGrid(), which only nvcc can compile
  bool perThreadStreams;                            ///< its default stream is each thread's own
  unsigned char modes;                              ///< what its device code is compiled for: CUI_MODE_…
  bool recursive;                                   ///< nobody knows the stack that its kernels need
  // The host side's own.
  bool hasMode;  ///< it is compiled for the present one
  uint32_t siteBase;
  uint64_t preparedDevices;   ///< bit per device: its DeviceUnit was to be put in place,
  uint64_t writtenDevices;    ///< and was, with room for its sites
  unsigned char* announcing;  ///< by launch: 1 if the kernel is of this unit, 2 if not; 0: not asked yet
  HostUnit* next;
};

}  // namespace backend
}  // namespace cui
