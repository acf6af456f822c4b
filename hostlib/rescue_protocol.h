// What a program and the process that reads a failed device's memory for it (rescuer.cpp) say to each other:
// over a socket, where the reader finds it, with copies in memory that both have.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuinstrument/host/abi.h"

namespace cui::hostlib {

constexpr int rescueSocket = 3, rescueWindow = 4;    ///< file descriptors in the reader
constexpr std::size_t rescueWindowBytes = 8u << 20;  ///< a copy at a time is no larger

/// The first message; answered once the memory can be read.
struct RescueBegin {
  char uuid[16];  ///< the device's
  std::uint32_t count;
  unsigned char handles[CUI_MOST_EXPORTS][CUI_EXPORT_HANDLE_BYTES];
};
/// All others; answered when the bytes are in the window.
struct RescueRead {
  std::uint32_t which;  ///< of the handles
  std::uint32_t unused;
  std::uint64_t offset, bytes;
};
/// Each message is answered by this byte; whatever else comes, or nothing any more: it could not be done.
constexpr char rescueDone = 1;

}  // namespace cui::hostlib
