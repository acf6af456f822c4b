// GPUs by the names that options give them.
#pragma once

#include <string>

#include "db/analyses/cache_model.h"

namespace cui::cli {

/// "v100, t4, …"
std::string knownGpus();
/// Throws a usage error that names those that there are.
const db::GpuPreset* gpuCalled(const std::string& name);

}  // namespace cui::cli
