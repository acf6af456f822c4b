// What a watcher of tokens may do: the preprocessor shows each as it is about to give it to the parser.
#pragma once

#include <clang/Lex/Preprocessor.h>

#include <utility>
#include <vector>

namespace cui::driver {

/// Words, or signs without a text.
using Words = std::vector<std::pair<clang::tok::TokenKind, llvm::StringRef>>;

/// Has them read behind the token that is shown, as if they stood at `place`. They are not shown themselves.
void readNext(clang::Preprocessor& preprocessor, const Words& words, clang::SourceLocation place);

/// Has `other` read in place of the token that is shown.
void readInstead(clang::Preprocessor& preprocessor, const clang::Token& shown, const clang::Token& other);

}  // namespace cui::driver
