#include "driver/places.h"

namespace cui::driver {

bool addPlace(const clang::SourceManager& manager, clang::SourceLocation location, Places& places) {
  if (location.isInvalid() || location.isMacroID()) return false;
  const auto [id, offset] = manager.getDecomposedLoc(location);
  const auto file = manager.getFileEntryRefForID(id);
  return file && places[file->getUniqueID()].insert(offset).second;
}

bool isAmong(const clang::SourceManager& manager, clang::SourceLocation location, const Places& places) {
  if (location.isInvalid() || location.isMacroID()) return false;
  const auto [id, offset] = manager.getDecomposedLoc(location);
  const auto file = manager.getFileEntryRefForID(id);
  if (!file) return false;
  const auto offsets = places.find(file->getUniqueID());
  return offsets != places.end() && offsets->second.count(offset) > 0;
}

}  // namespace cui::driver
