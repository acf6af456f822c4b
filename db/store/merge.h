// `cuinstrument merge`: several traces as one: runs, or the processes of one run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "db/store/error.h"

namespace cui::db {

/// What keeps the traces apart in the result:
///   process_id    of launches, allocations and other host calls; two processes of one number get two
///   launch_id     numbers all launches by the time they began; clocks of several hosts meet by time of day
///   device_id     each trace's devices are devices of their own
///   addresses     of device and host memory: each trace but the first has them moved by a power of two of
///                 its own
/// Sites, functions, files and shared variables that are the same become one. trace_stat says what came from
/// where (merged_trace).
///
/// `proceed` gets the records done and in all; false cancels. Without success there is no file at `output`.
Error mergeTraces(const std::vector<std::string>& inputs, const std::string& output,
                  const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed = {});

}  // namespace cui::db
