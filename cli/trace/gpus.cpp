// See gpus.h.
#include "cli/trace/gpus.h"

#include "cli/base/errors.h"
#include "cli/base/format_text.h"

namespace cui::cli {

std::string knownGpus() {
  std::string names;
  for (const db::GpuPreset& preset : db::gpuPresets())
    names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return names;
}

const db::GpuPreset* gpuCalled(const std::string& name) {
  const db::GpuPreset* const gpu = db::findGpuPreset(name);
  if (!gpu) throw Error(ExitCode::usage, formatText("no GPU '{}'; there are: {}", name, knownGpus()));
  return gpu;
}

}  // namespace cui::cli
