// Places in source files, for a second parse: what stands there keeps its offset, while Clang's own locations
// do not outlive a parse.
#pragma once

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/Support/FileSystem/UniqueID.h>

#include <map>
#include <set>
#include <string>
#include <utility>

namespace cui::driver {

/// Offsets in files.
using Places = std::map<llvm::sys::fs::UniqueID, std::set<unsigned>>;

/// Adds where `location` is in its file; false if it is in none, in a macro's expansion, or there already.
bool addPlace(const clang::SourceManager& manager, clang::SourceLocation location, Places& places);

/// Of tokens, also as a macro's text has them.
class TokenPlaces {
 public:
  /// False if it is there already.
  bool add(const clang::SourceManager& manager, clang::SourceLocation location);
  bool has(const clang::SourceManager& manager, clang::SourceLocation location) const;
  bool empty() const { return written_.empty() && expanded_.empty(); }

 private:
  Places written_;
  std::set<clang::SourceLocation> expanded_;
};

/// The same for names, which macros may make: the offset of the outermost expansion and what it makes there;
/// of a file's own text the name is "".
using NamePlaces = std::map<llvm::sys::fs::UniqueID, std::set<std::pair<unsigned, std::string>>>;

bool addName(const clang::SourceManager& manager, const clang::LangOptions& language,
             clang::SourceLocation location, NamePlaces& names);
bool isAmong(const clang::SourceManager& manager, const clang::LangOptions& language,
             clang::SourceLocation location, const NamePlaces& names);

}  // namespace cui::driver
