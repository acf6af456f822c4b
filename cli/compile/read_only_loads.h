// Loads of what a kernel's parameter points to that is `const` and `__restrict__`: nvcc makes them
// `ld.global.nc`, which need not wait for stores, but not where the address is also handed to a function, as
// it is to the recorder. So they become that here, in the unit's PTX, under nvcc's own condition: nothing but
// the recorder gets such a pointer.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// Which parameters those are a comment in a kernel says, one for each (CUI_READ_ONLY): `// cuiReadOnly 2`.
constexpr std::string_view readOnlyComment = "// cuiReadOnly ";

/// The unit with its plain loads through such parameters as loads of read-only memory. Left alone is a
/// parameter whose pointer is stored through, kept in memory that the kernel may write to through pointers it
/// has from elsewhere, handed to a function that is not the recorder's, or taken apart.
std::string withReadOnlyLoads(std::string_view ptx);

}  // namespace cui::cli
