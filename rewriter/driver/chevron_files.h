// The file system that Clang reads from, with launch brackets joined (edit/chevrons.h).
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <string>

namespace cui::driver {

/// `files` as it is, but for the texts whose brackets had to be joined: `written` gets those as they stand,
/// by the beginning of the text that was given instead. It must outlive the file system.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> joiningChevrons(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::map<const char*, std::string>& written);

}  // namespace cui::driver
