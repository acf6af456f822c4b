#include "constructs/storage.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

#include "constructs/of_library.h"
#include "constructs/private_pointers.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

using clang::Expr;
using format::Space;
using Where = Storage::Where;

constexpr unsigned recursionLimit = 64;  // initialisers that refer to each other through references

Storage ofExpression(const Expr* expr, unsigned depth);
Storage ofPointer(const Expr* pointer, unsigned depth);

bool holdsPointer(clang::QualType type, unsigned depth) {
  if (depth > 8) return true;
  type = type.getCanonicalType();
  if (type->isPointerType() || type->isReferenceType()) return true;
  if (const auto* array = type->getAsArrayTypeUnsafe())
    return holdsPointer(array->getElementType(), depth + 1);
  const auto* record = type->getAsCXXRecordDecl();
  if (!record) return type->isDependentType();
  if (!record->hasDefinition()) return true;
  for (const auto& base : record->bases())
    if (holdsPointer(base.getType(), depth + 1)) return true;
  for (const auto* field : record->fields())
    if (holdsPointer(field->getType(), depth + 1)) return true;
  return false;
}

/// `threadIdx` and its kin are special registers, whatever a header declares. `warpSize` is a constant, also
/// where the program defines it.
bool isIndex(const clang::VarDecl& variable) {
  if (variable.getDeclContext()->isTranslationUnit() && variable.getIdentifier())
    for (const char* name : {"warpSize", "threadIdx", "blockIdx", "blockDim", "gridDim"})
      if (variable.getName() == name) return true;
  const clang::CXXRecordDecl* type = variable.getType()->getAsCXXRecordDecl();
  return type && type->getIdentifier() && type->getName().starts_with("__cuda_builtin_");
}

/// It leads to nothing but what is private to the thread (private_pointers.h).
bool leadsToPrivate(const clang::ValueDecl& variable) {
  const auto annotations = variable.specific_attrs<clang::AnnotateAttr>();
  return std::any_of(annotations.begin(), annotations.end(), [](const clang::AnnotateAttr* annotation) {
    return annotation->getAnnotation() == privateAnnotation;
  });
}

Storage ofVariable(const clang::VarDecl& variable, unsigned depth) {
  if (variable.getType()->isReferenceType()) {
    // A local reference is what it was bound to; a parameter may be anything.
    if (leadsToPrivate(variable)) return {Where::privateArray, Space::local};
    if (!clang::isa<clang::ParmVarDecl>(variable) && variable.getInit() && depth < recursionLimit)
      return ofExpression(variable.getInit(), depth + 1);
    return {};
  }
  // On an anonymous union nvcc ignores it (warning 1866): each thread has its own.
  const bool anonymous = !variable.getIdentifier();
  if (isShared(variable) && !anonymous) return {Where::memory, Space::shared};
  // On a parameter nvcc ignores all of these words (warning 1835).
  const bool parameter = clang::isa<clang::ParmVarDecl>(variable);
  // Clang marks constants implicitly, also those that are __device__ or static in a device function.
  const auto* constant = variable.getAttr<clang::CUDAConstantAttr>();
  if (constant && !constant->isImplicit() && !parameter) return {Where::memory, Space::constant};
  if (const auto* device = variable.getAttr<clang::CUDADeviceAttr>();
      device && !device->isImplicit() && !parameter)
    return isIndex(variable) ? Storage{Where::privateObject, Space::generic}
                             : Storage{Where::memory, Space::global};
  // A constant table is memory; a constant number is folded into the code.
  if (variable.isStaticLocal() &&
      (variable.getType()->isArrayType() || !variable.getType().isConstQualified()))
    return {Where::memory, Space::global};
  if (constant) return {Where::privateObject, Space::generic};
  return {variable.getType()->isArrayType() ? Where::privateArray : Where::privateObject, Space::local};
}

/// An object of the one type can be, or be in, an object of the other.
bool canHold(clang::QualType holder, clang::QualType held, const clang::ASTContext& ast) {
  if (holder->isDependentType() || held->isDependentType()) return true;
  if (ast.hasSameUnqualifiedType(holder, held)) return true;
  if (holder->isIncompleteType() || held->isIncompleteType()) return true;
  const auto* record = holder->getAsCXXRecordDecl();
  if (record ? record->isEmpty() : !holder->isArrayType()) return false;
  return ast.getTypeSizeInChars(holder) >= ast.getTypeSizeInChars(held);
}

/// What `get<0>(tuple)` and `array[i]` lead to.
Storage ofElement(const clang::CallExpr& call, const clang::FunctionDecl& getter, unsigned depth) {
  const auto* member = clang::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const Expr* object = member ? member->getImplicitObjectArgument() : call.getArg(0);
  if (object->getType()->isPointerType()) return ofPointer(object, depth + 1);
  if (getter.getNumParams() == 1 && holdsReferences(getter.getParamDecl(0)->getType())) return {};
  return ofExpression(object, depth + 1);
}

/// A call that returns a reference: to what it was given, if it was given something that can hold the result;
/// else to a table of its own.
Storage ofCall(const clang::CallExpr& call, unsigned depth) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee) return {};
  const clang::SourceManager& manager = callee->getASTContext().getSourceManager();
  if (givesElement(*callee, manager)) return ofElement(call, *callee, depth);
  if (givesViewed(*callee, manager)) return {};
  Storage result{Where::privateObject, Space::generic};
  bool holds = false;
  const auto consider = [&](const Expr* argument) {
    if (argument->isGLValue()) {
      holds |= canHold(argument->getType(), call.getType(), callee->getASTContext());
      const Storage storage = ofExpression(argument, depth + 1);
      if (storage.where == Where::memory || holdsPointer(argument->getType(), 0)) result = {};
    } else if (holdsPointer(argument->getType(), 0)) {
      result = {};
    }
  };
  for (const Expr* argument : call.arguments()) consider(argument);
  if (const auto* member = clang::dyn_cast<clang::CXXMemberCallExpr>(&call)) {
    const Expr* object = member->getImplicitObjectArgument();
    if (object && !clang::isa<clang::CXXThisExpr>(object->IgnoreParenImpCasts()))
      consider(object);
    else
      result = {};
  }
  return holds ? result : Storage{};
}

Storage ofPointer(const Expr* pointer, unsigned depth) {
  pointer = pointer->IgnoreParens();
  // What `T* p{&x}` is given.
  if (const auto* list = clang::dyn_cast<clang::InitListExpr>(pointer))
    return list->getNumInits() == 1 ? ofPointer(list->getInit(0), depth + 1) : Storage{};
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(pointer)) {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) {
      Storage storage = ofExpression(cast->getSubExpr(), depth + 1);
      if (storage.where == Where::privateObject) storage.where = Where::privateArray;
      return storage;
    }
    if (cast->getSubExpr()->getType()->isPointerType()) return ofPointer(cast->getSubExpr(), depth + 1);
    return {};
  }
  if (const auto* reference = clang::dyn_cast<clang::DeclRefExpr>(pointer);
      reference && reference->getDecl()->getType()->isPointerType() && leadsToPrivate(*reference->getDecl()))
    return {Where::privateArray, Space::local};
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(pointer))
    if (unary->getOpcode() == clang::UO_AddrOf) return ofExpression(unary->getSubExpr(), depth + 1);
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(pointer);
      binary && binary->isAdditiveOp()) {
    const Expr* side = binary->getLHS()->getType()->isPointerType() ? binary->getLHS() : binary->getRHS();
    if (side->getType()->isPointerType()) return ofPointer(side, depth + 1);
  }
  return {};
}

Storage either(const Storage& a, const Storage& b) {
  return a.where == Where::memory ? a : b;
}

/// A thread's own, whatever it is reached through: wmma::fragment, registers of a warp, and cuda::pipeline,
/// of which each thread makes one and which cannot be copied.
bool isThreadsOwn(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier()) return false;
  if (record->getName() == "pipeline") {
    const clang::SourceManager& manager = record->getASTContext().getSourceManager();
    return clang::isa<clang::ClassTemplateSpecializationDecl>(record) && isOfLibrary(*record, manager);
  }
  if (record->getName() != "fragment") return false;
  const auto* space = clang::dyn_cast<clang::NamespaceDecl>(record->getDeclContext());
  return space && space->getName() == "wmma";
}

Storage ofExpression(const Expr* expr, unsigned depth) {
  if (depth > recursionLimit) return {};
  expr = expr->IgnoreParens();
  // What `T& r(x)` is bound to, as long as T is not known: a list, which has no type.
  if (const auto* list = clang::dyn_cast<clang::ParenListExpr>(expr))
    return list->getNumExprs() == 1 ? ofExpression(list->getExpr(0), depth + 1) : Storage{};
  if (isThreadsOwn(expr->getType())) return {Where::privateObject, Space::local};
  if (const auto* reference = clang::dyn_cast<clang::DeclRefExpr>(expr)) {
    if (const auto* variable = clang::dyn_cast<clang::VarDecl>(reference->getDecl()))
      return ofVariable(*variable, depth);
    if (const auto* binding = clang::dyn_cast<clang::BindingDecl>(reference->getDecl()))
      return binding->getBinding() ? ofExpression(binding->getBinding(), depth + 1) : Storage{};
    return {Where::privateObject, Space::generic};
  }
  if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    if (subscript->getBase()->getType()->isVectorType()) return ofExpression(subscript->getBase(), depth + 1);
    return ofPointer(subscript->getBase(), depth + 1);
  }
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(expr)) {
    if (const auto* variable = clang::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      return ofVariable(*variable, depth);
    if (member->getMemberDecl()->getType()->isReferenceType()) return {};
    Storage storage = member->isArrow() ? ofPointer(member->getBase(), depth + 1)
                                        : ofExpression(member->getBase(), depth + 1);
    if (storage.where == Where::privateObject && member->getType()->isArrayType())
      storage.where = Where::privateArray;
    return storage;
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(expr)) {
    if (unary->getOpcode() == clang::UO_Deref) return ofPointer(unary->getSubExpr(), depth + 1);
    return ofExpression(unary->getSubExpr(), depth + 1);
  }
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(expr);
      binary && binary->getOpcode() == clang::BO_PtrMemI)
    return ofPointer(binary->getLHS(), depth + 1);
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(expr))
    return ofExpression(binary->getOpcode() == clang::BO_Comma ? binary->getRHS() : binary->getLHS(),
                        depth + 1);
  if (const auto* conditional = clang::dyn_cast<clang::ConditionalOperator>(expr))
    return either(ofExpression(conditional->getTrueExpr(), depth + 1),
                  ofExpression(conditional->getFalseExpr(), depth + 1));
  if (const auto* conditional = clang::dyn_cast<clang::BinaryConditionalOperator>(expr))
    return either(ofExpression(conditional->getCommon(), depth + 1),
                  ofExpression(conditional->getFalseExpr(), depth + 1));
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(expr)) {
    if (cast->getSubExpr()->isGLValue() && cast->isGLValue())
      return ofExpression(cast->getSubExpr(), depth + 1);
    return {Where::privateObject, Space::generic};
  }
  if (const auto* call = clang::dyn_cast<clang::CallExpr>(expr)) return ofCall(*call, depth);
  // A text is a table like others.
  if (clang::isa<clang::StringLiteral, clang::PredefinedExpr>(expr)) return {Where::memory, Space::global};
  if (clang::isa<clang::MaterializeTemporaryExpr, clang::CompoundLiteralExpr>(expr))
    return {Where::privateObject, Space::generic};
  if (const auto* full = clang::dyn_cast<clang::FullExpr>(expr))
    return ofExpression(full->getSubExpr(), depth + 1);
  if (const auto* substituted = clang::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr))
    return ofExpression(substituted->getReplacement(), depth + 1);
  if (!expr->isGLValue()) return {Where::privateObject, Space::generic};
  return {};
}

}  // namespace

bool holdsPointer(clang::QualType type) {
  return holdsPointer(type, 0);
}

bool isShared(const clang::VarDecl& variable) {
  if (clang::isa<clang::ParmVarDecl>(variable)) return false;
  if (variable.hasAttr<clang::CUDASharedAttr>()) return true;
  const auto* annotation = variable.getAttr<clang::AnnotateAttr>();
  return annotation && annotation->getAnnotation() == sharedAnnotation;
}

Storage storageOf(const Expr& glvalue) {
  return ofExpression(&glvalue, 0);
}
Storage storageOfPointer(const Expr& pointer) {
  return ofPointer(&pointer, 0);
}
Storage storageOf(const clang::VarDecl& variable) {
  return ofVariable(variable, 0);
}

}  // namespace cui::constructs
