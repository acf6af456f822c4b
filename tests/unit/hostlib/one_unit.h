// A unit of one kernel and one launch as `cuinstrument nvcc` makes it, for programs whose runtime is
// failing_runtime.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/backend/cuda/host_unit.h"

namespace cui::hostlib::test {

constexpr unsigned gridsBefore = 100, warpsPerMultiprocessor = 2;

inline const format::KernelEntry kernels[] = {{"k", 0, 2, 1}};
inline const format::LaunchEntry launches[] = {{"k", "k", "main", 0, 9, 1, 0}};
inline backend::DeviceUnit state;

/// What calibrateGrid() stores.
inline void calibrate(backend::DeviceContext* context, cudaStream_t) {
  context->state.dropped = gridsBefore;
  context->constants.warpsPerMultiprocessor = warpsPerMultiprocessor;
  context->warpSlots = warpsPerMultiprocessor;
}

/// `table`: says what is recorded.
inline backend::HostUnit unitWith(const format::UnitTable& (*table)()) {
  return {table,
          false,
          []() -> const void* { return &state; },
          [](std::size_t& count) -> const backend::GlobalEntry* { return count = 0, nullptr; },
          &calibrate,
          false,
          CUI_MODE_TRACE | CUI_MODE_PROFILE,
          false,
          false,
          0,
          0,
          0,
          nullptr,
          nullptr};
}

}  // namespace cui::hostlib::test
