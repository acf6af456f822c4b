#include "constructs/use.h"

#include "constructs/of_library.h"

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <set>

#include "constructs/pattern_use.h"

namespace cui::constructs {
namespace {

using clang::Expr;

/// An object that fits one memory instruction: bound to a reference by library code, it is one access.
bool isSmall(clang::QualType type, const clang::ASTContext& ast) {
  type = type.getNonReferenceType();
  if (type->isDependentType() || type->isIncompleteType()) return false;
  if (!type.isTriviallyCopyableType(ast) && !isToolkitNumber(type)) return false;
  return ast.getTypeSizeInChars(type).getQuantity() <= 16;
}

/// No device can call it, though a template for both sides may that the host instantiates.
bool isHostsOnly(const clang::FunctionDecl& function) {
  return !function.hasAttr<clang::CUDADeviceAttr>() && !function.isConstexpr() && !function.isImplicit() &&
         !function.isDefaulted() && function.getBuiltinID() == 0;
}

/// `bool operator==(const T&) const = default;`: the compiler reads the members. Where a member has an
/// operator of the program's own, that one does.
bool readsMembers(const clang::Stmt* body) {
  if (!body) return true;
  if (const auto* call = clang::dyn_cast<clang::CallExpr>(body)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || (!callee->isDefaulted() && callee->getBuiltinID() == 0)) return false;
  }
  return llvm::all_of(body->children(), [](const clang::Stmt* child) { return readsMembers(child); });
}
bool comparesMembers(const clang::FunctionDecl& function) {
  return function.isDefaulted() && function.isOverloadedOperator() &&
         function.getOverloadedOperator() != clang::OO_Equal && readsMembers(function.getBody());
}

/// `std`, `cuda::std` and what is inline in them.
bool isInStandard(const clang::FunctionDecl& function) {
  const clang::DeclContext* space = function.getDeclContext();
  while (space->isInlineNamespace()) space = space->getParent();
  const auto* named = clang::dyn_cast<clang::NamespaceDecl>(space);
  return named && named->getName() == "std";
}

/// std::move and its kind: the same object under another type.
bool isForwarding(const clang::FunctionDecl& function) {
  if (!function.getDeclName().isIdentifier() || function.getNumParams() != 1) return false;
  const llvm::StringRef name = function.getName();
  return isInStandard(function) && (name == "move" || name == "forward" || name == "as_const");
}

/// Of the library's: whoever is given such an object accesses what it refers to.
bool isReferenceWrapper(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "reference_wrapper";
}

/// `addressof`, `ref`.
bool takesAddress(const clang::FunctionDecl& function) {
  if (isReferenceWrapper(function.getReturnType())) return true;
  if (!function.getDeclName().isIdentifier()) return false;
  const llvm::StringRef name = function.getName();
  return name == "addressof" || name == "__addressof" || name == "__builtin_addressof";
}

/// A method of cuda::atomic, cuda::std::atomic and their references.
bool isAtomic(const clang::CXXMethodDecl& method, llvm::StringRef name) {
  // The methods may be inherited from a base of the library's, whose name has the same beginning or end.
  const clang::CXXRecordDecl* record = method.getParent();
  return record->getIdentifier() && record->getName().contains(name) &&
         isOfLibrary(*record, method.getASTContext().getSourceManager());
}

/// Takes that argument as whatever it is (`T&&`), to hand it on or to make a value of it. What gives nothing
/// back is called for what it changes (`ranges::swap`).
bool isForwarded(const clang::FunctionDecl& function, unsigned argument) {
  const clang::FunctionTemplateDecl* primary = function.getPrimaryTemplate();
  const bool gives = !function.getReturnType()->isVoidType();
  if (!primary || !(gives || clang::isa<clang::CXXConstructorDecl>(function))) return false;
  const auto parameters = primary->getTemplatedDecl()->parameters();
  if (parameters.empty()) return false;
  const std::size_t last = parameters.size() - 1;
  clang::QualType type = parameters[std::min<std::size_t>(argument, last)]->getType();
  if (const auto* pack = type->getAs<clang::PackExpansionType>())
    type = pack->getPattern();
  else if (argument > last)
    return false;
  const auto* reference = type->getAs<clang::RValueReferenceType>();
  const auto* own =
      reference ? reference->getPointeeTypeAsWritten()->getAs<clang::TemplateTypeParmType>() : nullptr;
  return own && !reference->getPointeeTypeAsWritten().hasQualifiers() &&
         own->getDepth() == primary->getTemplateParameters()->getDepth();
}

Usage bound(const clang::FunctionDecl& function, unsigned argument, const Expr* access,
            const clang::ASTContext& ast) {
  const clang::QualType parameter = function.getParamDecl(argument)->getType();
  if (!parameter->isReferenceType() || takesAddress(function)) return {};
  if (const auto* constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function);
      constructor && isAtomic(*constructor, "atomic_ref"))
    return {Use::atomic, access, ""};
  const bool loads = parameter->getPointeeType().isConstQualified() ||
                     (isForwarded(function, argument) && !holdsReferences(function.getReturnType()));
  // An object that keeps a reference to another works with it later: `BlockReduce(temporary)`.
  const bool kept = !loads && clang::isa<clang::CXXConstructorDecl>(function) &&
                    access->getType()->isRecordType() && !isToolkitNumber(access->getType());
  if ((isSmall(access->getType(), ast) && !kept) || comparesMembers(function))
    return {loads ? Use::load : Use::rmw, access, ""};
  if (isHostsOnly(function)) return {};
  return {loads ? Use::load : Use::rmw, access, "passed by reference to library code"};
}

Usage ofConstruct(const clang::CXXConstructExpr& construct, const Expr* node, const Expr* access,
                  const clang::ASTContext& ast) {
  const clang::CXXConstructorDecl& constructor = *construct.getConstructor();
  if (isUsersOwn(constructor, ast.getSourceManager())) return {};
  if (constructor.isCopyOrMoveConstructor() && construct.getNumArgs() > 0 && construct.getArg(0) == node) {
    return {Use::copyFrom, access, ""};
  }
  if (holdsReferences(construct.getType()) || isReferenceWrapper(construct.getType())) return {};
  for (unsigned i = 0; i < construct.getNumArgs() && i < constructor.getNumParams(); ++i)
    if (construct.getArg(i) == node) return bound(constructor, i, access, ast);
  return {};
}

Usage ofMethodObject(const clang::CXXMethodDecl& method, const Expr* access, const clang::ASTContext& ast) {
  Usage usage = usageOfMethod(method, access->getType(), ast);
  if (usage.use != Use::none) usage.access = access;
  return usage;
}

Usage ofCall(const clang::CallExpr& call, const Expr* node, const Expr* access,
             const clang::ASTContext& ast) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  unsigned argument = call.getNumArgs();
  for (unsigned i = 0; i < call.getNumArgs(); ++i)
    if (call.getArg(i) == node) argument = i;
  if (argument == call.getNumArgs()) return {};
  if (!callee)
    return {call.isTypeDependent() || call.isInstantiationDependent() ? Use::unknown : Use::none, access, ""};
  if (const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(callee); method && method->isInstance()) {
    if (clang::isa<clang::CXXOperatorCallExpr>(call)) {
      if (argument == 0) return ofMethodObject(*method, access, ast);
      --argument;
    }
    // Also where it is called by its name: `Base::operator=(other)`.
    if (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) {
      if (isUsersOwn(*method, ast.getSourceManager())) return {};
      return {Use::copyFrom, access, ""};
    }
  }
  if (isUsersOwn(*callee, ast.getSourceManager()) || argument >= callee->getNumParams() ||
      givesElement(*callee, ast.getSourceManager()))
    return {};
  return bound(*callee, argument, access, ast);
}

Use assembly(const clang::GCCAsmStmt& statement, const Expr* node) {
  for (unsigned i = 0; i < statement.getNumOutputs(); ++i)
    if (statement.getOutputExpr(i) == node)
      return statement.isOutputPlusConstraint(i) ? Use::rmw : Use::store;
  return Use::none;
}

/// Of the function around path[at]: what it returns is the object itself (`return *this;`).
bool returnsReference(const std::vector<Node>& path, std::size_t at) {
  const clang::FunctionDecl* function = functionAround(path, at);
  return function && function->getReturnType()->isReferenceType();
}

/// C++20 writes `a != b` as `!(a == b)`, `a < b` as `(a <=> b) < 0`: the call that has the operand.
const clang::CallExpr* callOf(const clang::CXXRewrittenBinaryOperator& rewritten, const Expr* operand) {
  std::vector<const clang::Stmt*> open{rewritten.getSemanticForm()};
  while (!open.empty()) {
    const clang::Stmt* stmt = open.back();
    open.pop_back();
    const auto* call = clang::dyn_cast<clang::CallExpr>(stmt);
    if (call && llvm::is_contained(call->arguments(), operand)) return call;
    for (const clang::Stmt* child : stmt->children())
      if (child) open.push_back(child);
  }
  return nullptr;
}

/// An array's elements, which no function of the user's copies.
bool copiesByItself(const clang::ArrayInitLoopExpr& copy, const clang::ASTContext& ast) {
  const Expr* element = copy.getSubExpr()->IgnoreImplicit();
  while (const auto* inner = clang::dyn_cast<clang::ArrayInitLoopExpr>(element))
    element = inner->getSubExpr()->IgnoreImplicit();
  const auto* construct = clang::dyn_cast<clang::CXXConstructExpr>(element);
  return !construct || !isUsersOwn(*construct->getConstructor(), ast.getSourceManager());
}

/// What one surrounding statement does with `node`. False: it hands the same object on, look further out.
bool step(const std::vector<Node>& path, std::size_t at, const clang::ASTContext& ast, const Expr* node,
          Usage& usage) {
  const auto result = [&](Use use) {
    usage.use = use;
    return true;
  };
  const clang::Stmt* parent = path[at].stmt;
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(parent)) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) return result(Use::load);
    // `__builtin_bit_cast(int, object)`
    if (cast->getCastKind() == clang::CK_LValueToRValueBitCast)
      return result(node->getType()->isScalarType() ? Use::load : Use::copyFrom);
    if (cast->getCastKind() == clang::CK_Dependent) return result(Use::unknown);
    if (!cast->isGLValue()) return result(Use::none);
    if (cast->getCastKind() == clang::CK_LValueBitCast) usage.access = cast;
    return false;
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(parent)) {
    if (unary->isIncrementDecrementOp()) return result(Use::rmw);
    if (unary->getOpcode() == clang::UO_Extension || unary->getOpcode() == clang::UO_Real ||
        unary->getOpcode() == clang::UO_Imag)
      return false;
    return result(unary->getOpcode() == clang::UO_AddrOf || !unary->isTypeDependent() ? Use::none
                                                                                      : Use::unknown);
  }
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(parent)) {
    if (binary->getOpcode() == clang::BO_Comma) return binary->getRHS() == node ? false : result(Use::none);
    if (binary->isCompoundAssignmentOp() && binary->getLHS() == node) return result(Use::rmw);
    if (binary->getOpcode() == clang::BO_Assign && binary->getLHS() == node)
      return result(binary->isTypeDependent() ? Use::unknown : Use::assign);
    return result(binary->isInstantiationDependent() ? Use::unknown : Use::none);
  }
  if (const auto* conditional = clang::dyn_cast<clang::ConditionalOperator>(parent)) {
    if (conditional->getCond() == node || !conditional->isGLValue())
      return result(conditional->isInstantiationDependent() ? Use::unknown : Use::none);
    return false;
  }
  // Where it is an lvalue, so are its operands.
  if (const auto* conditional = clang::dyn_cast<clang::BinaryConditionalOperator>(parent)) {
    if (conditional->isGLValue() && !conditional->isTypeDependent()) return false;
    return result(conditional->isInstantiationDependent() ? Use::unknown : Use::none);
  }
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(parent)) {
    const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
    if (!method || member->isArrow()) return result(Use::none);
    usage = ofMethodObject(*method, usage.access, ast);
    return true;
  }
  if (const auto* construct = clang::dyn_cast<clang::CXXConstructExpr>(parent)) {
    usage = ofConstruct(*construct, node, usage.access, ast);
    return true;
  }
  if (const auto* call = clang::dyn_cast<clang::CallExpr>(parent)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && isForwarding(*callee)) return false;
    usage = ofCall(*call, node, usage.access, ast);
    return true;
  }
  if (const auto* statement = clang::dyn_cast<clang::GCCAsmStmt>(parent))
    return result(assembly(*statement, node));
  if (const auto* rewritten = clang::dyn_cast<clang::CXXRewrittenBinaryOperator>(parent)) {
    if (const clang::CallExpr* call = callOf(*rewritten, node))
      usage = ofCall(*call, node, usage.access, ast);
    return true;
  }
  if (const auto* copy = clang::dyn_cast<clang::ArrayInitLoopExpr>(parent))
    return result(copiesByItself(*copy, ast) ? Use::copyFrom : Use::none);
  if (clang::isa<clang::ParenExpr, clang::ExprWithCleanups, clang::CXXBindTemporaryExpr,
                 clang::SubstNonTypeTemplateParmExpr, clang::PackExpansionExpr>(parent))
    return false;
  if (isReadInPattern(*parent, *node)) return result(Use::unknown);
  if (clang::isa<clang::ReturnStmt>(parent) && returnsReference(path, at)) return result(Use::none);
  if (clang::isa<clang::CXXUnresolvedConstructExpr, clang::ParenListExpr, clang::ReturnStmt,
                 clang::InitListExpr>(parent))
    return result(node->isTypeDependent() ? Use::unknown : Use::none);
  return result(Use::none);
}

/// `data`, `end`, `size` of an array, whose elements are in it.
bool asksWhere(const clang::CXXMethodDecl& method) {
  const clang::IdentifierInfo *holder = method.getParent()->getIdentifier(), *name = method.getIdentifier();
  if (!holder || !name || holder->getName() != "array") return false;
  const clang::QualType result = method.getReturnType();
  return result->isIntegralType(method.getASTContext()) || result->isPointerType() ||
         name->getName().ends_with("begin") || name->getName().ends_with("end");
}

}  // namespace

bool givesViewed(const clang::FunctionDecl& function, const clang::SourceManager& manager) {
  const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || !method->isInstance() || !method->getReturnType()->isLValueReferenceType() ||
      !isOfLibrary(*method, manager))
    return false;
  const clang::IdentifierInfo* view = method->getParent()->getIdentifier();
  static const std::set<llvm::StringRef> views{"span",
                                               "mdspan",
                                               "__wrap_iter",
                                               "__bounded_iter",
                                               "__normal_iterator",
                                               "unique_ptr",
                                               "reverse_iterator",
                                               "basic_string_view",
                                               "move_iterator",
                                               "iterator_facade",
                                               "permutation_iterator",
                                               "reference_wrapper",
                                               "annotated_ptr"};
  if (!view || views.count(view->getName()) == 0) return false;
  const clang::OverloadedOperatorKind operation = method->getOverloadedOperator();
  if (operation == clang::OO_Star || operation == clang::OO_Subscript) return true;
  if (operation == clang::OO_Call) return view->getName() == "mdspan";
  const clang::IdentifierInfo* name = method->getIdentifier();
  return name && (name->getName() == "at" || name->getName() == "front" || name->getName() == "back" ||
                  name->getName() == "get");
}

bool givesElement(const clang::FunctionDecl& function, const clang::SourceManager& manager) {
  if (!function.getReturnType()->isLValueReferenceType() || !isOfLibrary(function, manager)) return false;
  if (const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function)) {
    const clang::IdentifierInfo* holder = method->getParent()->getIdentifier();
    if (!method->isInstance() || !holder) return false;
    const clang::OverloadedOperatorKind operation = method->getOverloadedOperator();
    const clang::IdentifierInfo* name = method->getIdentifier();
    if (holder->getName() == "array" || holder->getName() == "inplace_vector")
      return operation == clang::OO_Subscript ||
             (name && (name->getName() == "at" || name->getName() == "front" || name->getName() == "back"));
    return (holder->getName() == "optional" || holder->getName() == "expected") &&
           (operation == clang::OO_Star || (name && name->getName() == "value"));
  }
  const clang::IdentifierInfo* name = function.getIdentifier();
  return name && name->getName() == "get" && function.getTemplateSpecializationArgs() &&
         function.getNumParams() == 1 && function.getParamDecl(0)->getType()->isReferenceType() &&
         function.getParamDecl(0)->getType()->getPointeeType()->isRecordType();
}

bool holdsReferences(clang::QualType type) {
  const auto* record = clang::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!record) return false;
  const auto isReference = [](const clang::TemplateArgument& argument) {
    return argument.getKind() == clang::TemplateArgument::Type && argument.getAsType()->isReferenceType();
  };
  return llvm::any_of(record->getTemplateArgs().asArray(), [&](const clang::TemplateArgument& argument) {
    return isReference(argument) || (argument.getKind() == clang::TemplateArgument::Pack &&
                                     llvm::any_of(argument.pack_elements(), isReference));
  });
}

Usage usageOfMethod(const clang::CXXMethodDecl& method, clang::QualType type, const clang::ASTContext& ast) {
  if (method.isStatic() || isUsersOwn(method, ast.getSourceManager())) return {};
  if (asksWhere(method)) return {};
  if (givesElement(method, ast.getSourceManager())) return {};
  if (clang::isa<clang::CXXDestructorDecl>(method) &&
      !isOfLibrary(*method.getParent(), ast.getSourceManager()))
    return {};
  if (method.isCopyAssignmentOperator() || method.isMoveAssignmentOperator())
    return {Use::copyTo, nullptr, ""};
  // From a value of another type.
  if (method.getOverloadedOperator() == clang::OO_Equal && isToolkitNumber(type))
    return {Use::copyTo, nullptr, ""};
  if (isAtomic(method, "atomic") && !isAtomic(method, "atomic_ref")) return {Use::atomic, nullptr, ""};
  const Use use = method.isConst() ? Use::load : Use::rmw;
  if (isSmall(type, ast) || comparesMembers(method)) return {use, nullptr, ""};
  if (isHostsOnly(method)) return {};
  return {use, nullptr, "a method of library code is called on it"};
}

bool isToolkitNumber(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier()) return false;
  const llvm::StringRef name = record->getName();
  return name.starts_with("__half") || name.starts_with("__nv_bfloat16") || name.starts_with("__nv_fp");
}

bool hasUserBody(const clang::FunctionDecl& function, const clang::SourceManager& manager) {
  const clang::FunctionDecl* body = &function;
  if (!function.hasBody(body)) {
    body = function.getTemplateInstantiationPattern();
    if (!body || !body->hasBody(body)) return false;
  }
  return !body->isDefaulted() && !body->isImplicit() && !isOfLibrary(*body, manager);
}

bool isUsersOwn(const clang::FunctionDecl& function, const clang::SourceManager& manager) {
  if (hasUserBody(function, manager)) return true;
  if (function.isImplicit() || function.isDefaulted() || function.isDeleted() || function.getBuiltinID() != 0)
    return false;
  const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  if (function.hasBody() || function.hasSkippedBody() || (pattern && pattern->hasBody())) return false;
  // A library's function may be declared once more.
  const auto isUsers = [&](const clang::FunctionDecl* declaration) {
    return !isOfLibrary(*declaration, manager);
  };
  return llvm::all_of(function.redecls(), isUsers) && (!pattern || llvm::all_of(pattern->redecls(), isUsers));
}

Usage usageOf(const std::vector<Node>& path, const clang::ASTContext& ast) {
  Usage usage;
  const auto* node = clang::cast<Expr>(path.back().stmt);
  usage.access = node;
  bool isCondition = false;  // of `a ?: b`, which reads it whatever is done with the result
  bool isChosen = false;     // by `c ? a : b`, whose sides must be of one type: not one of the forms alone
  for (std::size_t at = path.size() - 1; at-- > 0;) {
    if (path[at].decl) {
      const auto* variable = clang::dyn_cast<clang::VarDecl>(path[at].decl);
      if (variable && !variable->getType()->isReferenceType() && node->isTypeDependent()) {
        usage.use = Use::unknown;
        usage.likely = Use::load;
      }
      break;
    }
    const auto* conditional = clang::dyn_cast_or_null<clang::BinaryConditionalOperator>(path[at].stmt);
    if (conditional && conditional->getCommon() == node && node->getType()->isScalarType())
      isCondition = true;
    if (step(path, at, ast, node, usage)) {
      if (usage.use == Use::unknown) usage.likely = likelyUse(path, at, *node, *usage.access, ast);
      break;
    }
    isChosen |= clang::isa<clang::AbstractConditionalOperator>(path[at].stmt);
    node = clang::dyn_cast<Expr>(path[at].stmt);
    if (!node) break;
  }
  if (isChosen && usage.use == Use::assign) usage.use = Use::store;
  if (isCondition && usage.use == Use::none) usage.use = Use::load;
  if (isCondition && (usage.use == Use::store || usage.use == Use::assign)) usage.use = Use::rmw;
  return usage;
}

}  // namespace cui::constructs
