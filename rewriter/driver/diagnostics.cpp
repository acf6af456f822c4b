#include "driver/diagnostics.h"

#include <clang/Basic/DiagnosticAST.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>

#include "driver/constant_members.h"
#include "driver/diagnostic_kinds.h"

namespace cui::driver {
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
  if (compat::isGuideOfOneSide(diagnostic)) complaints_.guides.insert(diagnostic.getLocation());
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
  again_ |= kinds_ != Again::never &&
            !(complaints_.bytes.empty() && complaints_.movedBytes.empty() && complaints_.guides.empty());
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
