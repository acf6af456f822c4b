// The file system that Clang reads from: files as they are, but for what it would not understand.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <string>

#include "driver/other_words.h"

namespace cui::driver {

/// `files`, in whose texts launches are as Clang knows them (edit/chevrons.h), pragma macros are empty
/// (edit/pragma_macros.h), no word touches a linkage's literal (edit/linkage.h), operands of inline assembly
/// have commas between them (edit/asm_operands.h) and the `words` are others; all else keeps its place.
/// `written` gets the changed ones as they stand, by the beginning of the text that was given instead. Both
/// must outlive the file system.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> parsedFiles(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, const OtherWords& words,
    std::map<const char*, std::string>& written);

}  // namespace cui::driver
