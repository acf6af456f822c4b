// A unit's device code as it is without the recorder: what a program runs that is switched off
// (CUINSTRUMENT=off). Kernels then have the registers and the speed of the user's own. It is made of the same
// PTX, and lies in the object as a second set of images, of which the program registers one as it starts.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cui::cli {

/// Tells our ptxas in which folder it is to leave machine code without the recorder, for our fatbinary.
constexpr const char* plainCodeVariable = "CUINSTRUMENT_PLAIN_CODE";

/// That folder; empty if there is to be no such code.
std::filesystem::path plainCodeFolder();

/// Where that is, for the machine code in `cubin`; empty if there is to be none.
std::filesystem::path plainCodeOf(const std::filesystem::path& cubin);

/// PTX whose sites ask nothing and find that nothing is recorded. Whatever it may miss records nothing
/// either: the recorder's functions are empty there.
std::string withoutRecorder(std::string_view ptx);

/// The C file in which fatbinary embeds images, with the other set in it, which is taken if the program is
/// switched off. Empty if they are not as known.
std::string withPlainImages(std::string_view embedded, std::string_view plain);

}  // namespace cui::cli
