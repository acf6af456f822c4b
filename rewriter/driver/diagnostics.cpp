#include "driver/diagnostics.h"

#include <clang/Basic/DiagnosticAST.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>

#include "driver/constant_members.h"
#include "driver/own_functions.h"

namespace cui::driver {
namespace {

std::string messageOf(const clang::Diagnostic& diagnostic) {
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  return message.str().str();
}

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

/// A `warpSize` of the program's, where nvcc has only declared its own (`extern const int`) and Clang's
/// header has defined it.
bool isOwnWarpSize(const clang::Diagnostic& diagnostic) {
  if (diagnostic.getID() != clang::diag::err_redefinition &&
      diagnostic.getID() != clang::diag::err_inline_decl_follows_def)
    return false;
  return messageOf(diagnostic).find("'warpSize'") != std::string::npos;
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

/// `void f(auto x)` before C++20, which nvcc takes as GCC does.
bool isAutoParameter(const clang::Diagnostic& diagnostic) {
  return diagnostic.getID() == clang::diag::err_auto_not_allowed &&
         messageOf(diagnostic).find("in function prototype") != std::string::npos;
}

/// What it says is of the types that Clang's header gives `threadIdx` and its kin, which are `uint3` and
/// `dim3` to nvcc and to the program's templates and operators; of a copy of one, that a member of it is
/// assigned.
bool isOfIndexTypes(const clang::Diagnostic& diagnostic) {
  return diagnostic.getID() == clang::diag::err_no_accessor_for_property ||
         messageOf(diagnostic).find("__cuda_builtin_") != std::string::npos;
}

/// A header of Thrust's, libcu++'s or CUB's that is not there: who compiles without nvcc has to say where.
bool isMissingLibrary(const clang::Diagnostic& diagnostic) {
  if (diagnostic.getID() != clang::diag::err_pp_file_not_found ||
      diagnostic.getArgKind(0) != clang::DiagnosticsEngine::ak_std_string)
    return false;
  const llvm::StringRef name = diagnostic.getArgStdStr(0);
  for (const char* folder : {"thrust/", "cuda/", "cub/", "nv/"})
    if (name.starts_with(folder)) return true;
  return false;
}

/// What an error says of a candidate that the host cannot call. nvcc takes such calls in templates, and those
/// of constexpr functions with --expt-relaxed-constexpr.
bool isDeviceCandidate(const clang::Diagnostic& note) {
  if (note.getID() != clang::diag::note_ovl_candidate_bad_target) return false;
  return messageOf(note).ends_with("call to __device__ function from __host__ function");
}

/// What an error says of a candidate that the device cannot call. nvcc takes such calls in functions of which
/// it makes no code.
bool isHostCandidate(const clang::Diagnostic& note) {
  if (note.getID() != clang::diag::note_ovl_candidate_bad_target) return false;
  return messageOf(note).ends_with("call to __host__ function from __device__ function");
}

/// The template of a specialisation, or of an explicit instantiation, that names other sides: to nvcc, it is
/// for both.
bool isOfOtherSides(const clang::Diagnostic& note) {
  return note.getID() == clang::diag::note_cuda_ovl_candidate_target_mismatch;
}

/// What the note is about is code made from a template.
bool isInstantiation(const clang::Diagnostic& note) {
  return messageOf(note).starts_with("in instantiation of");
}

/// The operator at its place is `+=` or `-=`.
bool isAssignment(const clang::Diagnostic& diagnostic) {
  const clang::SourceManager& manager = diagnostic.getSourceManager();
  const auto [file, offset] = manager.getDecomposedSpellingLoc(diagnostic.getLocation());
  return manager.getBufferData(file).substr(offset + 1).starts_with("=");
}

/// `static_cast<int*>(p + 4)`, where `p` has been cast to `char*` (template_words.h).
bool isCastOfBytes(const clang::Diagnostic& diagnostic) {
  if (diagnostic.getID() != clang::diag::err_bad_cxx_cast_generic) return false;
  const std::string text = messageOf(diagnostic);
  return text.rfind("static_cast from 'char *'", 0) == 0;
}

/// nvcc accepts these, and Clang's tree keeps what is around them.
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

/// Of those that nvcc accepts: Clang's tree has all of the code, and knows who calls what.
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

}  // namespace

void Diagnostics::forgiveNoLiterals() {
  for (clang::FunctionDecl* function : noLiterals_) function->setInvalidDecl(false);
  noLiterals_.clear();
}

void Diagnostics::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                   const clang::Diagnostic& diagnostic) {
  if (level == clang::DiagnosticsEngine::Note) {
    if (const auto preferred = preferredOf(diagnostic, operands_)) preferred_.push_back(*preferred);
    if (diagnostic.getID() == clang::diag::note_constexpr_this)
      complaints_.objects.insert(diagnostic.getLocation());
    if (notes_ != Notes::print && notes_ != Notes::drop) {
      wantsIndexVectors_ |= isOfIndexTypes(diagnostic);
      errors_.back().notes.push_back(diagnostic.getLocation());
      errors_.back().instantiated |= isInstantiation(diagnostic);
    }
    // An explicit instantiation that says nothing of sides is for both, and its template, too.
    if (notes_ == Notes::keepInstantiation && isOfOtherSides(diagnostic)) {
      rejected_.instantiations.insert(errors_.back().location);
      rejected_.functions.insert(diagnostic.getLocation());
    }
    if (notes_ == Notes::keepPrevious ||
        (notes_ == Notes::keep && (isDeviceCandidate(diagnostic) || isOfOtherSides(diagnostic))))
      rejected_.functions.insert(diagnostic.getLocation());
    if (notes_ == Notes::keep && isHostCandidate(diagnostic)) rejected_.calls.insert(errors_.back().location);
    if (notes_ != Notes::print) return;
  } else {
    notes_ = Notes::print;
    operands_.clear();
  }
  if (level == clang::DiagnosticsEngine::Error && acceptedByNvcc(diagnostic)) {
    lostCode_ |= !keepsAllCode(diagnostic);
    if (diagnostic.getID() == clang::diag::err_shared_var_init)
      rejected_.objects.insert(diagnostic.getLocation());
    if (diagnostic.getID() == clang::diag::err_constexpr_local_var_non_literal_type && sema_)
      if (clang::FunctionDecl* function = sema_->getCurFunctionDecl(true)) noLiterals_.push_back(function);
    if (diagnostic.getID() == clang::diag::err_variable_object_no_init && sema_)
      for (const clang::SourceLocation object :
           objectsInSizes(diagnostic.getSourceManager(), diagnostic.getLocation(), sema_->getLangOpts())) {
        complaints_.objects.insert(object);
        again_ |= kinds_ != Again::never;
      }
    if (diagnostic.getID() == clang::diag::err_attributes_not_allowed ||
        diagnostic.getID() == clang::diag::err_attribute_not_type_attr)
      droppedAttributes_.insert(diagnostic.getLocation());
    notes_ = Notes::drop;
    return;
  }
  definesWarpSize_ |= isOwnWarpSize(diagnostic);
  hasAutoParameters_ |= isAutoParameter(diagnostic);
  wantsIndexVectors_ |= level >= clang::DiagnosticsEngine::Error && isOfIndexTypes(diagnostic);
  // x.f<0>() of a dependent x, which the parser took for a comparison: of a function, or of several.
  if (diagnostic.getID() == clang::diag::err_template_kw_missing ||
      diagnostic.getID() == clang::diag::err_bound_member_function ||
      diagnostic.getID() == clang::diag::err_ovl_unresolvable)
    complaints_.templates.insert(diagnostic.getLocation());
  // T::Type(0), which it took for a call.
  if (diagnostic.getID() == clang::diag::err_typename_missing)
    complaints_.types.insert(diagnostic.getLocation());
  // T::template Type<0>(), which it took for a member template's value; what is in front of the name comes
  // along.
  if (diagnostic.getID() == clang::diag::err_template_kw_refers_to_type_template &&
      diagnostic.getNumRanges() > 0)
    complaints_.types.insert(diagnostic.getRange(0).getBegin());
  // f(t) of a base class's f, which depends on the template's arguments as t does.
  if (diagnostic.getID() == clang::diag::err_found_in_dependent_base)
    complaints_.members.insert(diagnostic.getLocation());
  // The attributes of a function; to other compilers they are nothing.
  const bool sides = diagnostic.getID() == clang::diag::err_cuda_ovl_target ||
                     diagnostic.getID() == clang::diag::err_member_decl_does_not_match;
  // So they are if those of a template are not repeated where it is specialised.
  const bool specialised = diagnostic.getID() == clang::diag::err_function_template_spec_no_match;
  const bool instantiated = diagnostic.getID() == clang::diag::err_explicit_instantiation_not_known;
  const bool wasNotStatic = diagnostic.getID() == clang::diag::err_static_non_static;
  const bool bytes = isCastOfBytes(diagnostic);
  const bool lambda = diagnostic.getID() == clang::diag::err_expected_lambda_body;
  const bool text = diagnostic.getID() == clang::diag::err_asm_invalid_input_constraint;
  const bool elements = diagnostic.getID() == clang::diag::err_array_init_not_init_list;
  // What that leads to is not worth a word: the source is parsed again if there is something to be done.
  // A list in braces, perhaps, for which a macro's text has no name.
  const bool list = diagnostic.getID() == clang::diag::err_expected_expression;
  // One of the host's, perhaps, in a function that nothing calls.
  const bool call = diagnostic.getID() == clang::diag::err_ovl_no_viable_function_in_call ||
                    diagnostic.getID() == clang::diag::err_ovl_no_viable_member_function_in_call ||
                    diagnostic.getID() == clang::diag::err_ovl_no_viable_function_in_init ||
                    diagnostic.getID() == clang::diag::err_ovl_no_viable_oper;
  // A kernel, perhaps, of its arguments' namespace.
  const bool unknown = diagnostic.getID() == clang::diag::err_undeclared_var_use ||
                       diagnostic.getID() == clang::diag::err_undeclared_var_use_suggest;
  if (unknown) unknownNames_.insert(diagnostic.getLocation());
  if (call) withoutCandidates_.insert(diagnostic.getLocation());
  // For a `this`, perhaps, as the note that follows says.
  const bool constant =
      diagnostic.getID() == clang::diag::err_constexpr_if_condition_expression_is_not_constant ||
      diagnostic.getID() == clang::diag::err_constexpr_var_requires_const_init ||
      diagnostic.getID() == clang::diag::err_static_assert_expression_is_not_constant ||
      diagnostic.getID() == clang::diag::err_expr_not_ice ||
      diagnostic.getID() == clang::diag::err_expr_not_cce;
  const bool ambiguous = diagnostic.getID() == clang::diag::err_ovl_ambiguous_oper_binary;
  if (ambiguous) operands_ = operandsOf(diagnostic);
  again_ |=
      kinds_ != Again::never && (unknown || ambiguous || constant || specialised || instantiated || sides ||
                                 wasNotStatic || bytes || text || elements || lambda || definesWarpSize_ ||
                                 hasAutoParameters_ || wantsIndexVectors_ || list || call);
  // p + n of a void* p, which every other compiler takes.
  if (diagnostic.getID() == clang::diag::err_typecheck_pointer_arith_void_type &&
      diagnostic.getNumRanges() == 1)
    (isAssignment(diagnostic) ? complaints_.movedBytes : complaints_.bytes)
        .insert(diagnostic.getRange(0).getBegin());
  again_ |= kinds_ != Again::never && !(complaints_.bytes.empty() && complaints_.movedBytes.empty());
  again_ |= kinds_ == Again::otherSidesOrWords && !complaints_.empty();
  if (level == clang::DiagnosticsEngine::Error && (tolerant_ || again_)) {
    storageClash_ |= diagnostic.getID() == clang::diag::err_invalid_decl_spec_combination;
    errors_.push_back({diagnostic.getLocation(),
                       {},
                       messageOf(diagnostic),
                       diagnostic.getID() < clang::diag::DIAG_START_SEMA,
                       false});
    notes_ = sides ? Notes::keepPrevious : instantiated ? Notes::keepInstantiation : Notes::keep;
    if (sides || specialised) rejected_.functions.insert(diagnostic.getLocation());
    if (wasNotStatic) rejected_.statics.insert(diagnostic.getLocation());
    if (bytes) rejected_.casts.insert(diagnostic.getLocation());
    if (lambda) rejected_.attributes.insert(diagnostic.getLocation());
    if (text) rejected_.texts.insert(diagnostic.getLocation());
    if (elements) rejected_.elements.insert(diagnostic.getLocation());
    return;
  }
  if (level >= clang::DiagnosticsEngine::Error) refused_ = true;
  TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
  if (isMissingLibrary(diagnostic))
    llvm::errs() << "cuinstrument: that header comes with a CUDA toolkit: add its folder, as "
                    "-I/usr/local/cuda/include\n";
}

}  // namespace cui::driver
