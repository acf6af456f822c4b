// Iterators of library code that hold pointers, and read through them where nobody sees it:
// thrust::transform_iterator, cub::CacheModifiedInputIterator.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Type.h>

namespace cui::constructs {

/// An iterator of the library's that leads to memory, whatever it is made of.
bool isLibraryIterator(clang::QualType type, const clang::SourceManager& manager);

}  // namespace cui::constructs
