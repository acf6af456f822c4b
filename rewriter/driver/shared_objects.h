// `__shared__` objects with a constructor that does something, such as cuda::barrier. nvcc takes the
// declaration and calls no constructor; Clang takes it for an error, after which the tree lacks every use of
// the object. The source is then parsed again, with another word for `__shared__` in these declarations.
#pragma once

#include <clang/AST/ASTContext.h>
#include <llvm/Support/FileSystem/UniqueID.h>

#include <map>
#include <set>
#include <string>

namespace cui::driver {

/// Where the words `__shared__` of such declarations are: offsets in each file.
using SharedWords = std::map<llvm::sys::fs::UniqueID, std::set<unsigned>>;

/// Adds those of the declarations that Clang rejected at `places` (of their names). False if there is nothing
/// new: words that no file holds, such as a macro's that was defined on the command line, stay as they are.
bool addSharedWords(clang::ASTContext& ast, const std::set<clang::SourceLocation>& places,
                    SharedWords& words);

/// Puts the other word, which is as long, in their place.
void renameSharedWords(std::string& text, const std::set<unsigned>& offsets);

/// Defines the other word: to be included before the source.
extern const char* const sharedObjectHeader;

}  // namespace cui::driver
