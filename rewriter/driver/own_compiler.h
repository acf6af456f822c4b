// What tells programs that Clang reads them: `__clang__` and its kin. nvcc hands the program to GCC, which
// has none of them and says a version of its own; headers of the system's, which must suit Clang, are read as
// they are for it.
#pragma once

#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>
#include <string>

namespace cui::driver {

/// `gccVersion`: what `__GNUC__` says in the program's own files.
std::unique_ptr<clang::PPCallbacks> hideClang(clang::Preprocessor& preprocessor, std::string gccVersion);

}  // namespace cui::driver
