// What is the library's (the toolkit's, the system's) and not the program's.
#pragma once

#include <clang/AST/DeclBase.h>
#include <clang/Basic/SourceManager.h>

namespace cui::constructs {

/// Declared in a system header, or by a macro that is expanded in one.
inline bool isOfLibrary(const clang::Decl& decl, const clang::SourceManager& manager) {
  return decl.getLocation().isValid() &&
         manager.isInSystemHeader(manager.getExpansionLoc(decl.getLocation()));
}

}  // namespace cui::constructs
