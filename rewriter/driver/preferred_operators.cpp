#include "driver/preferred_operators.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/DiagnosticSema.h>
#include <llvm/ADT/STLExtras.h>

namespace cui::driver {
namespace {

const clang::BuiltinType* number(clang::QualType type) {
  const auto* builtin = type.getNonReferenceType().getCanonicalType()->getAs<clang::BuiltinType>();
  return builtin && type.getNonReferenceType()->isArithmeticType() ? builtin : nullptr;
}

/// For an operand of the left or right side; of a method there is no parameter for the left one.
clang::QualType parameterType(const clang::FunctionDecl& function, unsigned operand) {
  if (const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function); method && method->isInstance()) {
    if (operand == 0) return method->getThisType()->getPointeeType();
    return function.getParamDecl(0)->getType();
  }
  return function.getParamDecl(operand)->getType();
}

bool takesTwo(const clang::FunctionDecl& function) {
  const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
  return function.getNumParams() == (method && method->isInstance() ? 1 : 2);
}

clang::FunctionDecl* declaredLike(const clang::FunctionDecl& function, clang::QualType type) {
  clang::ASTContext& ast = function.getASTContext();
  const clang::SourceLocation place = function.getLocation();
  auto* context = const_cast<clang::DeclContext*>(function.getDeclContext());
  if (const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function))
    return clang::CXXMethodDecl::Create(ast, const_cast<clang::CXXRecordDecl*>(method->getParent()), place,
                                        function.getNameInfo(), type, nullptr, clang::SC_None, false, false,
                                        clang::ConstexprSpecKind::Unspecified, place);
  return clang::FunctionDecl::Create(ast, context, place, place, function.getDeclName(), type, nullptr,
                                     clang::SC_None);
}

/// Nobody asks for its body: it is one of another unit's.
void declareFor(clang::FunctionDecl& function, unsigned parameter, clang::QualType number) {
  clang::ASTContext& ast = function.getASTContext();
  const auto* prototype = function.getType()->castAs<clang::FunctionProtoType>();
  llvm::SmallVector<clang::QualType, 2> types(prototype->param_types());
  types[parameter] = number;
  clang::FunctionDecl* other = declaredLike(
      function, ast.getFunctionType(prototype->getReturnType(), types, prototype->getExtProtoInfo()));
  llvm::SmallVector<clang::ParmVarDecl*, 2> parameters;
  for (const clang::QualType type : types)
    parameters.push_back(clang::ParmVarDecl::Create(ast, other, function.getLocation(),
                                                    function.getLocation(), nullptr, type, nullptr,
                                                    clang::SC_None, nullptr));
  other->setParams(parameters);
  other->setAccess(function.getAccess());
  if (function.hasAttr<clang::CUDAHostAttr>()) other->addAttr(clang::CUDAHostAttr::CreateImplicit(ast));
  if (function.hasAttr<clang::CUDADeviceAttr>()) other->addAttr(clang::CUDADeviceAttr::CreateImplicit(ast));
  other->getDeclContext()->addDecl(other);
}

/// Which a note is about; nullptr if it is one of the language's.
const clang::FunctionDecl* candidateOf(const clang::Diagnostic& note) {
  if (note.getID() != clang::diag::note_ovl_candidate) return nullptr;
  for (unsigned at = 0; at < note.getNumArgs(); ++at)
    if (note.getArgKind(at) == clang::DiagnosticsEngine::ak_nameddecl)
      return llvm::dyn_cast<clang::FunctionDecl>(
          reinterpret_cast<const clang::NamedDecl*>(note.getRawArg(at)));
  return nullptr;
}

/// Whether GCC would take it for these operands.
bool isPreferred(const clang::FunctionDecl& candidate, const std::vector<clang::QualType>& operands,
                 PreferredOperator& preferred) {
  if (!takesTwo(candidate) || operands.size() != 2 || candidate.getPrimaryTemplate()) return false;
  std::optional<PreferredOperator> converted;
  for (unsigned operand = 0; operand < 2; ++operand) {
    const clang::QualType type = parameterType(candidate, operand);
    if (candidate.getASTContext().hasSameUnqualifiedType(type.getNonReferenceType(),
                                                         operands[operand].getNonReferenceType()))
      continue;
    const clang::BuiltinType* given = number(operands[operand]);
    if (!given || !number(type) || converted) return false;
    const unsigned parameter = candidate.getNumParams() == 1 ? 0 : operand;
    converted = PreferredOperator{candidate.getLocation(), parameter, given->getKind()};
  }
  if (converted) preferred = *converted;
  return converted.has_value();
}

}  // namespace

std::vector<clang::QualType> operandsOf(const clang::Diagnostic& diagnostic) {
  std::vector<clang::QualType> types;
  for (unsigned at = 0; at < diagnostic.getNumArgs(); ++at)
    if (diagnostic.getArgKind(at) == clang::DiagnosticsEngine::ak_qualtype)
      types.push_back(
          clang::QualType::getFromOpaquePtr(reinterpret_cast<const void*>(diagnostic.getRawArg(at))));
  return types;
}

std::optional<PreferredOperator> preferredOf(const clang::Diagnostic& note,
                                             const std::vector<clang::QualType>& operands) {
  PreferredOperator preferred{};
  const clang::FunctionDecl* candidate = candidateOf(note);
  if (!candidate || !isPreferred(*candidate, operands, preferred)) return std::nullopt;
  return preferred;
}

bool PreferredOperators::add(const clang::SourceManager& manager, const clang::LangOptions& language,
                             const std::vector<PreferredOperator>& preferred) {
  bool added = false;
  for (const PreferredOperator& one : preferred) {
    auto numbers = llvm::find_if(numbers_, [&](const Numbers& known) {
      return known.parameter == one.parameter && known.kind == one.kind;
    });
    if (numbers == numbers_.end()) numbers = numbers_.insert(numbers_.end(), {{}, one.parameter, one.kind});
    added |= addName(manager, language, one.place, numbers->places);
  }
  return added;
}

void PreferredOperators::declare(clang::Decl& declared) const {
  auto* function = clang::dyn_cast<clang::FunctionDecl>(&declared);
  if (numbers_.empty() || !function || !function->isOverloadedOperator() || function->isDependentContext())
    return;
  clang::ASTContext& ast = function->getASTContext();
  for (const Numbers& numbers : numbers_) {
    if (!isAmong(ast.getSourceManager(), ast.getLangOpts(), function->getLocation(), numbers.places))
      continue;
    for (const clang::QualType type : std::initializer_list<clang::QualType>{
             ast.BoolTy, ast.CharTy, ast.SignedCharTy, ast.UnsignedCharTy, ast.ShortTy, ast.UnsignedShortTy,
             ast.IntTy, ast.UnsignedIntTy, ast.LongTy, ast.UnsignedLongTy, ast.LongLongTy,
             ast.UnsignedLongLongTy, ast.FloatTy, ast.DoubleTy})
      if (type->castAs<clang::BuiltinType>()->getKind() == numbers.kind)
        declareFor(*function, numbers.parameter, type);
  }
}

}  // namespace cui::driver
