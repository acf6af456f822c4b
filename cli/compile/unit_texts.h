// What is made of a unit's PTX: what our ptxas compiles. Where nvcc embeds the PTX, too, our fatbinary needs
// the same.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

struct UnitTexts {
  std::string recording;  ///< with kernels beside those that record, if there is to be code without them
  std::string plain;      ///< without the recorder; empty if there is to be no such code
};

/// Of PTX of cicc's. Made once: it takes a tenth of nvcc's time over small kernels with many accesses, and is
/// kept, if there is to be code without the recorder, beside that.
UnitTexts unitTexts(std::string_view ptx);

/// The PTX with what nvcc would have known of pointers that the recorder gets, too.
std::string knownAgain(std::string_view ptx);

}  // namespace cui::cli
