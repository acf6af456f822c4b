// How a glvalue is used by the expressions around it: is memory read or written there at all.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <string>
#include <vector>

namespace cui::constructs {

/// One step of the way from a function's body to the expression at hand.
struct Node {
  const clang::Stmt* stmt = nullptr;
  const clang::Decl* decl = nullptr;
};

enum class Use {
  none,  ///< no access here: address taken, inner step, discarded, bound where its uses are recorded
  load,
  store,
  assign,  ///< a store by a builtin `=`, whose target could be wrapped as one
  rmw,
  copyFrom,  ///< a class object is read as a whole
  copyTo,    ///< a class object is written as a whole
  atomic,    ///< a method of an atomic object, or an atomic_ref bound to it
  unknown    ///< in a dependent pattern: nothing tells
};

struct Usage {
  Use use = Use::none;
  const clang::Expr* access = nullptr;  ///< the glvalue that is accessed: the expression, or a cast of it
  std::string reason;                   ///< why the access cannot be instrumented; "" if it can
  Use likely = Use::unknown;            ///< of an unknown use, what the pattern tells
};

/// Of `path.back()`, an expression.
Usage usageOf(const std::vector<Node>& path, const clang::ASTContext& ast);

/// What a call of that method does to its object, of that type; without an `access`.
Usage usageOfMethod(const clang::CXXMethodDecl& method, clang::QualType type, const clang::ASTContext& ast);

/// half2, bfloat162, fp8 and their kin: they have a copy constructor of their own, which only copies.
bool isToolkitNumber(clang::QualType type);

/// True for a function whose own body is in the user's files, so that its accesses are found there.
bool hasUserBody(const clang::FunctionDecl& function, const clang::SourceManager& manager);

/// The same for a function that the user only declares here: its body is in another unit.
bool isUsersOwn(const clang::FunctionDecl& function, const clang::SourceManager& manager);

/// A library's function that only gives back a reference to what is in its argument or object, or to what
/// that refers to: `get<0>` of a tuple, `[]` of an array.
bool givesElement(const clang::FunctionDecl& function, const clang::SourceManager& manager);

/// A method of a library's class that gives back a reference to what its object leads to, not to what is in
/// it: `[]` of a span, `*` of an iterator.
bool givesViewed(const clang::FunctionDecl& function, const clang::SourceManager& manager);

/// `tuple<T&>`, or what is derived from it: who asks for its elements accesses what they refer to.
bool holdsReferences(clang::QualType type);

}  // namespace cui::constructs
