// What an object has a pointer for that the source does not name: a member of reference type is one, and a
// class with virtual functions has one to the table of them. Who uses these reads the object.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <vector>

#include "constructs/field.h"
#include "constructs/scope.h"

namespace cui::constructs {

struct OwnPointer {
  FieldPlace place;
  const clang::Expr* whole = nullptr;   ///< what the object and its use are written as
  const clang::Expr* object = nullptr;  ///< or what points to it
  bool arrow = false;                   ///< the latter
  clang::QualType type;
};

/// Of an expression that reads one; nothing of others.
std::optional<OwnPointer> ownPointerReadBy(const clang::Expr& expr, const Scope& scope);

/// Of code made from a template, or a macro's: whether the object that it names has such a pointer. All that
/// one text stands for must agree on it.
void noteOwnPointer(const clang::Expr& expr, const Scope& scope);

/// Of all pointers to virtual functions that a constructor of that class stores, but those in virtual bases.
std::vector<Measures> placesOfTables(const clang::CXXRecordDecl& record, const clang::ASTContext& ast);

}  // namespace cui::constructs
