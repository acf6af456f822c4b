// A kernel's symbol as launch.kernel has it. Thread-safe.
#pragma once

namespace cui::hostlib {

/// `void scale<float, 32>(float*, int)`, perhaps mangled, as `scale<float, 32>`. Lives as long as the
/// process.
const char* kernelName(const char* symbol);

}  // namespace cui::hostlib
