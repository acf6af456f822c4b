// Where the Clang versions we build with (19, 22) differ. Nothing else tests the version.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/Version.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PPCallbacks.h>

#include <memory>

namespace cui::driver {

/// A printer of diagnostics and the options it refers to.
struct DiagnosticPrinter {
  explicit DiagnosticPrinter(llvm::raw_ostream& out) {
#if CLANG_VERSION_MAJOR >= 21
    printer = std::make_unique<clang::TextDiagnosticPrinter>(out, options);
#else
    shared = new clang::DiagnosticOptions;
    printer = std::make_unique<clang::TextDiagnosticPrinter>(out, shared.get());
#endif
  }
#if CLANG_VERSION_MAJOR >= 21
  clang::DiagnosticOptions options;
#else
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> shared;
#endif
  std::unique_ptr<clang::TextDiagnosticPrinter> printer;
};

}  // namespace cui::driver
