// What an initialiser stores that is not found in the body of a constructor of the user's: where no
// constructor is called, or one that nobody wrote. That stores the pointers to virtual functions, too.
#pragma once

#include <clang/AST/CharUnits.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/RecordLayout.h>

#include <vector>

#include "constructs/scope.h"

namespace cui::constructs {

/// What of an object an initialiser stores: nothing, or nothing that can be told; all of it, as one access;
/// what a constructor of the user's does, in whose body that is found; or several of these, part by part.
enum class Stores { nothing, whole, byConstructor, partly };
Stores storesOf(const clang::Expr* initialiser, const Scope& scope);

struct StoredPart {
  Measures place;  ///< bytes, and where in the object
  clang::QualType type;
};

/// Type, bytes and kind of the store.
void describePart(sites::Site& site, const StoredPart& part, const clang::ASTContext& ast);

/// The same, part by part.
class StoredParts {
 public:
  explicit StoredParts(const Scope& scope) : scope_(scope) {}

  /// Of an object of that type, so far into the whole one; `inDynamic` if a class around it has pointers of
  /// its own to virtual functions, which replace those of its base classes. False if they cannot be told.
  bool add(const clang::Expr* initialiser, clang::QualType type, clang::CharUnits at = {},
           bool inDynamic = false);

  const std::vector<StoredPart>& all() const { return parts_; }

 private:
  bool addWhole(clang::QualType type, clang::CharUnits at);
  bool addConstructor(const clang::CXXConstructorDecl& constructor, clang::QualType type, clang::CharUnits at,
                      bool inDynamic);
  bool addField(const clang::Expr* initialiser, const clang::FieldDecl& field,
                const clang::ASTRecordLayout& layout, clang::CharUnits at);
  bool addList(const clang::InitListExpr& list, const clang::CXXRecordDecl& record, clang::CharUnits at);

  const Scope& scope_;
  std::vector<StoredPart> parts_;
};

}  // namespace cui::constructs
