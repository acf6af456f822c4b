// Where the Clang versions we build with (19, 22) differ. Nothing else tests the version.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/Version.h>
#include <clang/Sema/ExternalSemaSource.h>
#include <clang/Sema/Sema.h>

#include <utility>

namespace cui::compat {

inline unsigned bitWidthOf(const clang::FieldDecl& field) {
#if CLANG_VERSION_MAJOR >= 20
  return field.getBitWidthValue();
#else
  return field.getBitWidthValue(field.getASTContext());
#endif
}

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

/// It lives as long as `sema`.
inline void addSource(clang::Sema& sema, llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> source) {
#if CLANG_VERSION_MAJOR >= 22
  sema.addExternalSource(std::move(source));
#else
  sema.addExternalSource(source.get());
#endif
}

/// A deduction guide that only one side has, which other compilers take for both: an error since Clang 22.
inline bool isGuideOfOneSide(const clang::Diagnostic& diagnostic) {
#if CLANG_VERSION_MAJOR >= 22
  return diagnostic.getID() == clang::diag::err_deduction_guide_target_attr;
#else
  (void)diagnostic;
  return false;
#endif
}

/// Laid over the toolkit's file of that name, unless "". Up to 21, Clang's CUDA wrapper includes this header,
/// which CUDA 13 no longer has, and not the one for surfaces.
constexpr const char* textureHeaderName = "texture_fetch_functions.h";
#if CLANG_VERSION_MAJOR >= 22
constexpr const char* textureHeaderText = "";
#else
constexpr const char* textureHeaderText =
    "#if __has_include_next(<texture_fetch_functions.h>)\n"
    "#include_next <texture_fetch_functions.h>\n"
    "#endif\n"
    "#include \"surface_indirect_functions.h\"\n";
#endif

}  // namespace cui::compat
