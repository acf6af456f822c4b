// Files that a parse finds in place of the library's, or beside them: laid over the file system, so that
// there is none to lose.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driver/options.h"
#include "driver/toolchain.h"

namespace cui::driver {

constexpr const char* compatibilityHeader = "/cuinstrument/compatibility.h";
constexpr const char* wordHeader = "/cuinstrument/other_words.h";
constexpr const char* listHeader = "/cuinstrument/launch_list.h";
constexpr const char* libraryFile = "/cuinstrument/library.cu";  ///< a source that has nothing of its own
constexpr const char* toolkitFolder = "/cuinstrument/toolkit";   ///< searched before the toolkit's own

/// What a program wants otherwise than Clang's headers have it.
struct IndexWishes {
  bool declaredWarpSize =
      false;             ///< `warpSize` has no value there, for the program gives it one, as with nvcc
  bool vectors = false;  ///< `threadIdx` and its kin are of nvcc's types
};

/// Paths and what is found there.
using LibraryFiles = std::vector<std::pair<std::string, std::string>>;
LibraryFiles libraryFiles(Backend backend, const Toolchain& toolchain, const IndexWishes& wishes);

}  // namespace cui::driver
