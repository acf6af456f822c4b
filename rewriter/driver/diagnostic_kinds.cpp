#include "driver/diagnostic_kinds.h"

#include <clang/AST/Decl.h>
#include <clang/Basic/DiagnosticAST.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>

#include "driver/own_functions.h"

namespace cui::driver {

std::string messageOf(const clang::Diagnostic& diagnostic) {
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  return message.str().str();
}

namespace {

/// `extern __shared__ alignas(16) float4 a[];`, which Clang takes for an attribute of the type.
bool isAlignment(const clang::Diagnostic& diagnostic) {
  return messageOf(diagnostic).starts_with("'alignas'");
}

/// A function for both sides that calls one of the host's, of which nvcc only warns. Clang says so when all
/// is parsed, and only of functions that the device could call.
bool isFromBothSides(const clang::Diagnostic& diagnostic) {
  return messageOf(diagnostic).ends_with("in __host__ __device__ function");
}

bool isInLibrary(const clang::Diagnostic& diagnostic) {
  return diagnostic.hasSourceManager() &&
         diagnostic.getSourceManager().isInSystemHeader(diagnostic.getLocation());
}

/// What the error is about is all that `sizeof(` has: there, Clang goes on with the type.
bool isSizeOf(const clang::Diagnostic& diagnostic) {
  const clang::SourceManager& manager = diagnostic.getSourceManager();
  const auto [file, offset] = manager.getDecomposedSpellingLoc(diagnostic.getLocation());
  llvm::StringRef before = manager.getBufferData(file).take_front(offset).rtrim();
  return before.consume_back("(") && before.rtrim().ends_with("sizeof");
}

bool isOwnFunction(const clang::Diagnostic& diagnostic) {
  if (diagnostic.getNumArgs() == 0 || diagnostic.getArgKind(0) != clang::DiagnosticsEngine::ak_nameddecl)
    return false;
  const auto* named = reinterpret_cast<const clang::NamedDecl*>(diagnostic.getRawArg(0));
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(named);
  return function && standsForToolkits(*function);
}

/// The same for both sides, which is told of one of Clang's for the device only.
bool isOwnForBothSides(const clang::Diagnostic& diagnostic) {
  if (diagnostic.getNumArgs() < 4 || diagnostic.getArgKind(3) != clang::DiagnosticsEngine::ak_nameddecl)
    return false;
  const auto* older = reinterpret_cast<const clang::NamedDecl*>(diagnostic.getRawArg(3));
  return diagnostic.getSourceManager().isInSystemHeader(older->getLocation());
}

/// `template <class U> friend void kernel(U);`, where nvcc takes the kernel of that name. To Clang it is
/// another function, which is no friend of anything either.
bool isKernelsFriend(const clang::Diagnostic& diagnostic) {
  const auto target = [&](unsigned argument) {
    const bool isSigned = diagnostic.getArgKind(argument) == clang::DiagnosticsEngine::ak_sint;
    return isSigned ? static_cast<unsigned>(diagnostic.getArgSInt(argument))
                    : diagnostic.getArgUInt(argument);
  };
  constexpr unsigned global = 1, host = 2;  // as the message numbers them
  return target(0) == host && target(2) == global;
}

}  // namespace

bool isOwnWarpSize(const clang::Diagnostic& diagnostic) {
  if (diagnostic.getID() != clang::diag::err_redefinition &&
      diagnostic.getID() != clang::diag::err_inline_decl_follows_def)
    return false;
  return messageOf(diagnostic).find("'warpSize'") != std::string::npos;
}

bool isAutoParameter(const clang::Diagnostic& diagnostic) {
  return diagnostic.getID() == clang::diag::err_auto_not_allowed &&
         messageOf(diagnostic).find("in function prototype") != std::string::npos;
}

bool isOfIndexTypes(const clang::Diagnostic& diagnostic) {
  return diagnostic.getID() == clang::diag::err_no_accessor_for_property ||
         messageOf(diagnostic).find("__cuda_builtin_") != std::string::npos;
}

bool isMissingLibrary(const clang::Diagnostic& diagnostic) {
  if (diagnostic.getID() != clang::diag::err_pp_file_not_found ||
      diagnostic.getArgKind(0) != clang::DiagnosticsEngine::ak_std_string)
    return false;
  const llvm::StringRef name = diagnostic.getArgStdStr(0);
  for (const char* folder : {"thrust/", "cuda/", "cub/", "nv/"})
    if (name.starts_with(folder)) return true;
  return false;
}

bool isDeviceCandidate(const clang::Diagnostic& note) {
  if (note.getID() != clang::diag::note_ovl_candidate_bad_target) return false;
  return messageOf(note).ends_with("call to __device__ function from __host__ function");
}

bool isHostCandidate(const clang::Diagnostic& note) {
  if (note.getID() != clang::diag::note_ovl_candidate_bad_target) return false;
  return messageOf(note).ends_with("call to __host__ function from __device__ function");
}

bool isOfOtherSides(const clang::Diagnostic& note) {
  return note.getID() == clang::diag::note_cuda_ovl_candidate_target_mismatch;
}

bool isInstantiation(const clang::Diagnostic& note) {
  return messageOf(note).starts_with("in instantiation of");
}

bool isAssignment(const clang::Diagnostic& diagnostic) {
  const clang::SourceManager& manager = diagnostic.getSourceManager();
  const auto [file, offset] = manager.getDecomposedSpellingLoc(diagnostic.getLocation());
  return manager.getBufferData(file).substr(offset + 1).starts_with("=");
}

bool isCastOfBytes(const clang::Diagnostic& diagnostic) {
  if (diagnostic.getID() != clang::diag::err_bad_cxx_cast_generic) return false;
  const std::string text = messageOf(diagnostic);
  return text.rfind("static_cast from 'char *'", 0) == 0;
}

bool acceptedByNvcc(const clang::Diagnostic& diagnostic) {
  switch (diagnostic.getID()) {
    case clang::diag::err_attribute_wrong_number_arguments:  // in gcc's omp.h, for an old Clang
      return isInLibrary(diagnostic);
    case clang::diag::err_cuda_ovl_target:  // __assert_fail in libcu++, with NDEBUG
      return isInLibrary(diagnostic) || isOwnForBothSides(diagnostic) || isKernelsFriend(diagnostic);
    case clang::diag::err_attribute_not_type_attr:
      return isAlignment(diagnostic);
    case clang::diag::err_ref_bad_target:
      return isFromBothSides(diagnostic);
    case clang::diag::err_typename_missing:  // sizeof(S<T>::Part)
      return isSizeOf(diagnostic);
    case clang::diag::err_redefinition:
      return isOwnFunction(diagnostic);
    case clang::diag::err_access:                   // nvcc asks itself, and knows which kernels are friends
    case clang::diag::err_alignas_underaligned:     // alignas(64) of a type that is aligned to 128
    case clang::diag::err_attributes_not_allowed:   // extern __shared__ alignas(16) int a[];
    case clang::diag::err_cuda_nonstatic_constdev:  // __device__ __shared__ int a[4];
    case clang::diag::err_missing_type_specifier:   // main() {}
    case clang::diag::err_member_extra_qualification:            // struct A { A::A(int); };
    case clang::diag::err_constexpr_local_var_non_literal_type:  // constexpr void f() { Iterator it; }, a
                                                                 // template
    case clang::diag::err_cuda_vla:  // int a[x.count], a constant, of a reference x
    case clang::diag::err_param_default_argument_member_template_redecl:  // int Table<T>::at(int i = 0) {}
    case clang::diag::err_shared_var_init:                                // __shared__ cuda::barrier<…> bar;
    case clang::diag::err_typecheck_invalid_restrict_not_pointer:         // const __restrict__ uint32_t* p
    case clang::diag::err_typecheck_invalid_restrict_not_pointer_noarg:
    case clang::diag::err_pragma_loop_precedes_nonloop:  // #pragma unroll in front of a block
    case clang::diag::err_switch_into_protected_scope:   // case 0: int x = 1; break; case 1: …
    case clang::diag::err_variable_object_no_init:       // int a[n] = {};
    case clang::diag::err_asm_invalid_escape:            // asm("mov %0, %globaltimer;")
    case clang::diag::err_asm_invalid_operand_number:    // asm("not.b32 %0, %1, %2;"), in what nothing calls
    case clang::diag::err_missing_dependent_template_keyword:  // x.f<T>() of a dependent x
      return true;
    default:
      return false;
  }
}

bool keepsAllCode(const clang::Diagnostic& diagnostic) {
  switch (diagnostic.getID()) {
    case clang::diag::err_access:
    case clang::diag::err_attribute_wrong_number_arguments:
    case clang::diag::err_attribute_not_type_attr:
    case clang::diag::err_attributes_not_allowed:
    case clang::diag::err_alignas_underaligned:
    case clang::diag::err_ref_bad_target:
    case clang::diag::err_redefinition:
    case clang::diag::err_missing_type_specifier:
    case clang::diag::err_member_extra_qualification:
    case clang::diag::err_typecheck_invalid_restrict_not_pointer:
    case clang::diag::err_typecheck_invalid_restrict_not_pointer_noarg:
    case clang::diag::err_switch_into_protected_scope:
    case clang::diag::err_asm_invalid_escape:
    case clang::diag::err_asm_invalid_operand_number:
      return true;
    default:
      return false;
  }
}

}  // namespace cui::driver
