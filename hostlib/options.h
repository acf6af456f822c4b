// What the environment asks for (docs/environment.md). A bad value is one line on stderr and the default.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "hostlib/selection.h"

namespace cui::hostlib {

enum class Timestamps { off, ofWarps, ofAccesses };
enum class PlainLaunches { off, whereTheyPay, always };

struct Options {
  bool enabled = true;                                        ///< CUINSTRUMENT
  std::string database;                                       ///< CUINSTRUMENT_DB with %p and %n replaced
  std::uint64_t bufferBytes = std::uint64_t{64} << 20;        ///< CUINSTRUMENT_BUFFER
  std::uint64_t poolBytes = std::uint64_t{1} << 30;           ///< CUINSTRUMENT_POOL
  std::uint64_t chunkBytes = std::uint64_t{64} << 20;         ///< CUINSTRUMENT_CHUNKS
  std::uint64_t waitNs = 10'000'000'000;                      ///< CUINSTRUMENT_WAIT_MS
  bool profile = false;                                       ///< CUINSTRUMENT_MODE
  bool recordValues = true;                                   ///< CUINSTRUMENT_VALUES
  Timestamps timestamps = Timestamps::off;                    ///< CUINSTRUMENT_TIMESTAMPS
  bool barriers = false;                                      ///< CUINSTRUMENT_BARRIERS
  std::uint32_t cpuThreads = 1;                               ///< CUINSTRUMENT_CPU_THREADS
  std::uint64_t flushNs = 100'000'000;                        ///< CUINSTRUMENT_FLUSH_MS
  std::optional<std::uint64_t> materializeLimit;              ///< CUINSTRUMENT_MATERIALIZE
  std::uint64_t maxTraceBytes = 0;                            ///< CUINSTRUMENT_MAX_TRACE; 0: no limit
  std::uint32_t encoders = 0;                                 ///< CUINSTRUMENT_ENCODERS
  std::uint32_t readers = 0;                                  ///< CUINSTRUMENT_READERS
  std::uint32_t sampleBlocks = 1;                             ///< CUINSTRUMENT_SAMPLE_BLOCKS
  std::uint32_t sampleWarps = 1;                              ///< CUINSTRUMENT_SAMPLE_WARPS
  PlainLaunches plainLaunches = PlainLaunches::whereTheyPay;  ///< CUINSTRUMENT_PLAIN_LAUNCHES
  std::uint64_t maxTimeNs = 0;                                ///< CUINSTRUMENT_MAX_TIME_MS; 0: no limit
  Selection selection;                                        ///< CUINSTRUMENT_KERNELS, CUINSTRUMENT_LAUNCHES
  bool verbose = false;                                       ///< CUINSTRUMENT_VERBOSE
};

using Environment = std::function<const char*(const char* name)>;
using Complain = std::function<void(std::string_view line)>;

/// `program`: path of the executable; `pid`: its process id.
Options readOptions(const Environment& environment, const std::string& program, long pid,
                    const Complain& complain);

/// A number of bytes with an optional K, M or G (powers of 1024); nothing if it is not one.
std::optional<std::uint64_t> parseBytes(std::string_view text);

}  // namespace cui::hostlib
