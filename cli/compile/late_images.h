// A unit's host side has the device's images in it, as assembly in the middle of C++. All but the images is
// known before they are made, so the host compiler can be done with it by then: its assembler reads them from
// another file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cui::cli {

/// What fatbinary embeds, taken apart.
struct EmbeddedImages {
  std::string text;                 ///< C++ in which assembly includes `<files>.0`, `<files>.1`, …
  std::vector<std::string> images;  ///< what is in these
};
EmbeddedImages takenApart(std::string_view embedded, const std::filesystem::path& files);

/// The text that this line of fatbinary's comes to, but for the images, whose code is made of these PTX
/// files. Nothing where it is not as known. Runs fatbinary over nothing, for its version's text; `folder`:
/// for that. Throws Error, Interrupted.
std::optional<std::string> textWithoutImages(const std::string& line,
                                             const std::vector<std::filesystem::path>& ptx,
                                             const std::filesystem::path& folder,
                                             const std::filesystem::path& files);

}  // namespace cui::cli
