// Clang's diagnostics, printed as they come, except those about code that nvcc accepts.
#pragma once

#include <clang/Frontend/TextDiagnosticPrinter.h>

#include "driver/clang_version.h"

namespace cui::driver {

class Diagnostics : private DiagnosticOptionsHolder, public clang::TextDiagnosticPrinter {
 public:
  explicit Diagnostics(llvm::raw_ostream& out) : TextDiagnosticPrinter(out, get()) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;
  /// An error that is none for nvcc neither stops the rewriting nor is printed.
  bool refused() const { return refused_; }

 private:
  bool refused_ = false;
  bool skipNotes_ = false;  ///< the notes that follow belong to an error that was not printed
};

}  // namespace cui::driver
