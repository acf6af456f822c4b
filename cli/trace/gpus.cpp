// See gpus.h.
#include "cli/trace/gpus.h"

#include <fmt/format.h>

#include "cli/base/errors.h"

namespace cui::cli {

std::string knownGpus() {
  std::string names;
  for (const db::GpuPreset& preset : db::gpuPresets())
    names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return names;
}

const db::GpuPreset* gpuCalled(const std::string& name) {
  const db::GpuPreset* const gpu = db::findGpuPreset(name);
  if (!gpu) throw Error(ExitCode::usage, fmt::format("no GPU '{}'; there are: {}", name, knownGpus()));
  return gpu;
}

}  // namespace cui::cli
