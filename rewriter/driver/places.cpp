#include "driver/places.h"

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>

namespace cui::driver {
namespace {

using Name = std::pair<unsigned, std::string>;

std::string madeName(const clang::SourceManager& manager, const clang::LangOptions& language,
                     clang::SourceLocation location) {
  if (!location.isMacroID()) return "";
  llvm::SmallString<32> buffer;
  return clang::Lexer::getSpelling(manager.getSpellingLoc(location), buffer, manager, language).str();
}

}  // namespace

bool addPlace(const clang::SourceManager& manager, clang::SourceLocation location, Places& places) {
  if (location.isInvalid() || location.isMacroID()) return false;
  const auto [id, offset] = manager.getDecomposedLoc(location);
  const auto file = manager.getFileEntryRefForID(id);
  return file && places[file->getUniqueID()].insert(offset).second;
}

bool TokenPlaces::add(const clang::SourceManager& manager, clang::SourceLocation location) {
  return location.isMacroID() ? expanded_.insert(location).second : addPlace(manager, location, written_);
}

bool TokenPlaces::has(const clang::SourceManager& manager, clang::SourceLocation location) const {
  if (location.isMacroID()) return expanded_.count(location) > 0;
  if (written_.empty() || location.isInvalid()) return false;
  const auto [id, offset] = manager.getDecomposedLoc(location);
  const auto file = manager.getFileEntryRefForID(id);
  const auto known = file ? written_.find(file->getUniqueID()) : written_.end();
  return known != written_.end() && known->second.count(offset) > 0;
}

bool addName(const clang::SourceManager& manager, const clang::LangOptions& language,
             clang::SourceLocation location, NamePlaces& names) {
  if (location.isInvalid()) return false;
  const auto [id, offset] = manager.getDecomposedExpansionLoc(location);
  const auto file = manager.getFileEntryRefForID(id);
  return file &&
         names[file->getUniqueID()].insert(Name(offset, madeName(manager, language, location))).second;
}

bool isAmong(const clang::SourceManager& manager, const clang::LangOptions& language,
             clang::SourceLocation location, const NamePlaces& names) {
  if (location.isInvalid()) return false;
  const auto [id, offset] = manager.getDecomposedExpansionLoc(location);
  const auto file = manager.getFileEntryRefForID(id);
  if (!file) return false;
  const auto known = names.find(file->getUniqueID());
  if (known == names.end()) return false;
  // Most tokens are at none of them: only then is the text asked for.
  const auto first = known->second.lower_bound(Name(offset, ""));
  return first != known->second.end() && first->first == offset &&
         known->second.count(Name(offset, madeName(manager, language, location))) > 0;
}

}  // namespace cui::driver
