// GPUs as options give them: by name, and with figures of one's own.
#pragma once

#include <string>

#include "db/analyses/cache_model.h"

namespace cui::cli {

/// "v100, t4, …"
std::string knownGpus();

/// `h100`, or `h100,l1=64K,l2=10M`: a known GPU with some of its figures changed.
class ChosenGpu {
 public:
  /// Throws a usage error that begins with the option and says what there is.
  ChosenGpu(const std::string& option, const std::string& text);
  ChosenGpu(const ChosenGpu&) = delete;
  ChosenGpu& operator=(const ChosenGpu&) = delete;
  /// Lives as long as this does.
  const db::GpuPreset& preset() const { return preset_; }

 private:
  std::string title_;
  db::GpuPreset preset_;
};

}  // namespace cui::cli
