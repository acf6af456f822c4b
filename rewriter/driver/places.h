// Places in source files, for a second parse: what stands there keeps its offset, while Clang's own locations
// do not outlive a parse.
#pragma once

#include <clang/Basic/SourceManager.h>
#include <llvm/Support/FileSystem/UniqueID.h>

#include <map>
#include <set>

namespace cui::driver {

/// Offsets in files.
using Places = std::map<llvm::sys::fs::UniqueID, std::set<unsigned>>;

/// Adds where `location` is in its file; false if it is in none, in a macro's expansion, or there already.
bool addPlace(const clang::SourceManager& manager, clang::SourceLocation location, Places& places);

/// Whether it is among them; what is in a macro's expansion is not.
bool isAmong(const clang::SourceManager& manager, clang::SourceLocation location, const Places& places);

}  // namespace cui::driver
