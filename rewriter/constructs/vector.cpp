// Containers whose memory a library allocates (`thrust::device_vector<float> d(n)`): the allocation's row has
// no name, no type and no line of the program's, so the statement after which a named one holds memory is
// followed by one that says whose it is; a member's initialiser by one in the constructor's body. Only where
// a statement may follow and the name can be evaluated again without doing anything; elsewhere the row stays
// as it is.
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>

#include <unordered_set>

#include "constructs/access.h"
#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

/// `thrust::device_vector`: a library's inline namespaces (`THRUST_300_SM_90_NS`) say what it was built with.
std::string libraryName(const clang::NamedDecl& decl) {
  std::string name = decl.getNameAsString();
  for (const clang::DeclContext* context = decl.getDeclContext(); context; context = context->getParent()) {
    const auto* space = clang::dyn_cast<clang::NamespaceDecl>(context);
    if (space && !space->isInline() && !space->isAnonymousNamespace())
      name = space->getNameAsString() + "::" + name;
  }
  return name;
}

bool isCatalogued(const clang::CXXRecordDecl& record) {
  static const std::unordered_set<std::string> names{
#define CUI_VECTOR_CLASS(name) #name,
#include "constructs/vectors.def"
  };
  if (names.count(libraryName(record))) return true;
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (!definition) return false;
  for (const clang::CXXBaseSpecifier& base : definition->bases())
    if (const clang::CXXRecordDecl* of = base.getType()->getAsCXXRecordDecl(); of && isCatalogued(*of))
      return true;
  return false;
}

/// The class if it is such a container; null for others, and for a reference to one.
const clang::CXXRecordDecl* vectorClass(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  return record && isCatalogued(*record) ? record : nullptr;
}

/// Members that may hold other memory when they come back. `swap` moves memory that has its name.
bool mayAllocate(const clang::CXXMethodDecl& method) {
  if (method.isConst() || method.isStatic()) return false;
  if (method.getOverloadedOperator() == clang::OO_Equal) return true;
  static const std::unordered_set<std::string> names{"resize",       "reserve", "assign",  "push_back",
                                                     "emplace_back", "insert",  "emplace", "shrink_to_fit"};
  return method.getIdentifier() && names.count(method.getNameAsString());
}

/// `d`, `d_`, `this->d`, `state.d`, `state->d`: reading that again does nothing.
bool isPlainName(const clang::Expr& expr) {
  const clang::Expr* plain = expr.IgnoreParenImpCasts();
  if (clang::isa<clang::DeclRefExpr, clang::CXXThisExpr>(plain)) return true;
  const auto* member = clang::dyn_cast<clang::MemberExpr>(plain);
  return member && clang::isa<clang::FieldDecl, clang::VarDecl>(member->getMemberDecl()) &&
         isPlainName(*member->getBase());
}

class Vector : public Construct {
  void onVariable(const clang::VarDecl& variable, Scope& scope) const override {
    if (!mayFollow(scope) || !variable.getIdentifier() || variable.hasExternalStorage()) return;
    if (clang::isa<clang::ParmVarDecl, clang::DecompositionDecl>(variable)) return;
    const auto* statement = clang::dyn_cast_or_null<clang::DeclStmt>(scope.parent().stmt);
    if (!statement || !isInBlock(scope, 2)) return;
    const clang::CXXRecordDecl* record = vectorClass(variable.getType());
    if (!record) return;
    report(scope.ranges.resolveToken(variable.getLocation()),
           scope.ranges.resolveToken(statement->getEndLoc()), variable.getNameAsString(), *record, scope);
  }

  void onFunction(const clang::FunctionDecl& function, Scope& scope) const override {
    const auto* constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function);
    if (!constructor || !mayFollow(scope)) return;
    const auto* body = clang::dyn_cast_or_null<clang::CompoundStmt>(constructor->getBody());
    if (!body) return;
    for (const clang::CXXCtorInitializer* initialiser : constructor->inits()) {
      if (!initialiser->isWritten() || !initialiser->isMemberInitializer()) continue;
      const clang::FieldDecl& member = *initialiser->getMember();
      if (const clang::CXXRecordDecl* record = vectorClass(member.getType()))
        report(scope.ranges.resolveToken(initialiser->getMemberLocation()),
               scope.ranges.resolveToken(body->getLBracLoc()), "this->" + member.getNameAsString(), *record,
               scope);
    }
  }

  void onHostExpression(const clang::Expr& expr, Scope& scope) const override {
    const clang::Expr* object = nullptr;
    const clang::CXXMethodDecl* method = nullptr;
    if (const auto* call = clang::dyn_cast<clang::CXXMemberCallExpr>(&expr)) {
      object = call->getImplicitObjectArgument();
      method = call->getMethodDecl();
    } else if (const auto* assignment = clang::dyn_cast<clang::CXXOperatorCallExpr>(&expr);
               assignment && assignment->getNumArgs() > 0) {
      object = assignment->getArg(0);
      method = clang::dyn_cast_or_null<clang::CXXMethodDecl>(assignment->getDirectCallee());
    }
    if (!object || !method || !mayAllocate(*method) || !mayFollow(scope)) return;
    const bool cleansUp = scope.parent().stmt && clang::isa<clang::ExprWithCleanups>(scope.parent().stmt);
    if (!isInBlock(scope, cleansUp ? 2 : 1)) return;
    object = object->IgnoreParenImpCasts();
    const clang::CXXRecordDecl* record = vectorClass(object->getType());
    if (!record || !isPlainName(*object)) return;
    const std::optional<clang::Token> next =
        clang::Lexer::findNextToken(expr.getEndLoc(), scope.ranges.manager(), scope.ranges.language());
    if (expr.getEndLoc().isMacroID() || !next || next->isNot(clang::tok::semi)) return;
    if (followsPragma(expr.getBeginLoc(), scope)) return;
    const std::string text = scope.ranges.text(object->getSourceRange());
    if (text.empty() || text.find('\n') != text.npos) return;
    report(scope.ranges.resolveToken(object->getExprLoc()), scope.ranges.resolveToken(next->getLocation()),
           text, *record, scope);
  }

  /// In a body that runs on the host alone, and at run time.
  static bool mayFollow(const Scope& scope) {
    return scope.function && !scope.device && scope.constant == 0 &&
           !scope.function->isConstexprSpecified() && !scope.function->hasAttr<clang::CUDADeviceAttr>();
  }
  /// The statement `steps` above the current node stands in a block, whose value it is not.
  static bool isInBlock(const Scope& scope, std::size_t steps) {
    if (scope.path.size() < steps + 2) return false;
    const clang::Stmt* block = scope.path[scope.path.size() - 1 - steps].stmt;
    const clang::Stmt* around = scope.path[scope.path.size() - 2 - steps].stmt;
    return block && clang::isa<clang::CompoundStmt>(block) &&
           !(around && clang::isa<clang::StmtExpr>(around));
  }

  /// `#pragma omp critical` is about one statement, and Clang may have left it out.
  static bool followsPragma(clang::SourceLocation statement, const Scope& scope) {
    const clang::SourceManager& manager = scope.ranges.manager();
    const auto [file, offset] = manager.getDecomposedLoc(manager.getFileLoc(statement));
    const llvm::StringRef before = manager.getBufferData(file).substr(0, offset).rtrim();
    const llvm::StringRef line = before.substr(before.rfind('\n') + 1).ltrim();
    return line.starts_with("#") && line.contains("pragma");
  }

  static void report(const Resolved& name, const Resolved& semicolon, const std::string& text,
                     const clang::CXXRecordDecl& record, Scope& scope) {
    const auto isPlain = [](const Resolved& token) {
      return token.located && token.reason.empty() && !token.macro && token.outermostMacro.empty();
    };
    if (!isPlain(name) || !isPlain(semicolon) || name.span.file != semicolon.span.file) return;
    VectorFound found;
    found.name = name;
    found.semicolon = semicolon;
    found.text = text;
    found.call.api = libraryName(record);
    found.call.function = scope.functionName();
    found.call.variable = text;
    const auto* instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
    if (instance && instance->getTemplateArgs().size() > 0 &&
        instance->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type) {
      const clang::QualType element = instance->getTemplateArgs()[0].getAsType().getUnqualifiedType();
      found.call.type = element.getAsString(scope.ast.getPrintingPolicy());
      if (!element->isVoidType())
        found.call.elementBytes = static_cast<std::uint32_t>(sizeOf(element, scope.ast));
    }
    scope.findings.add(std::move(found));
  }
};

}  // namespace

std::unique_ptr<Construct> makeVector() {
  return std::make_unique<Vector>();
}

}  // namespace cui::constructs
