// Where the Clang versions we build with (19, 22) differ. Nothing else tests the version.
#pragma once

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/Version.h>

namespace cui::driver {

/// Owns the options that a printer of diagnostics refers to; get() is what its constructor takes.
struct DiagnosticOptionsHolder {
#if CLANG_VERSION_MAJOR >= 21
  clang::DiagnosticOptions options;
  clang::DiagnosticOptions& get() { return options; }
#else
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options = new clang::DiagnosticOptions;
  clang::DiagnosticOptions* get() { return options.get(); }
#endif
};

}  // namespace cui::driver
