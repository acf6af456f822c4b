// What all access constructs share: from an expression that names an object to a recorded access.
#pragma once

#include "constructs/scope.h"

namespace cui::constructs {

/// Adds the access that the current node (scope.path.back(), which names an object) makes, if it makes one.
void reportAccess(const clang::Expr& expr, Scope& scope);

/// An access of the present node's, of which only that is known.
AccessSeen seenIn(const Scope& scope);

/// The access of what `pointer` leads to, of type `accessed`, that `call` makes: the pointer is wrapped. What
/// kind it is of, and of which space, is the caller's to say.
AccessSeen accessThrough(const clang::Expr& pointer, clang::QualType accessed, const clang::CallExpr& call,
                         const Scope& scope);

/// What library code accesses in a call, through that pointer if there is one, to objects of that type: what
/// a site says of it. Place, kind, bytes and form are the caller's to say.
AccessSeen accessOfLibrary(const clang::Expr& call, const clang::Expr* pointer, clang::QualType accessed,
                           const Scope& scope);

/// What a use does to an object of that type.
sites::Kind kindOf(Use use, clang::QualType type, const clang::ASTContext& ast);

/// The form of an object's access.
edit::Form formOf(Use use, clang::QualType type, const Scope& scope);

/// `T` in code made from a template that says T, else the type itself.
std::string typeName(clang::QualType type, const clang::ASTContext& ast, bool instantiated);

/// 0 if it is not known, as that of a dependent type or of an `auto` that an error keeps from being deduced.
std::uint64_t sizeOf(clang::QualType type, const clang::ASTContext& ast);

/// Fills what a site says beyond place, kind and status. `accessed` has the accessed type.
sites::Site describeSite(const clang::Expr& expr, clang::QualType accessed, const Scope& scope);

/// An object without anything in it: a tag, a functor. Nothing is moved, whatever is done with it.
bool isEmpty(clang::QualType type);

/// An assignment, `++x`, `--x`, which give back what they have changed.
bool changes(const clang::Expr& expr);

/// By its form, whatever is done with it.
bool namesObject(const clang::Expr& expr);

/// What a member can be in other instantiations that is none.
bool isConstantOrStatic(const clang::Expr& expr);

/// Why a reference cannot be bound to that glvalue; "" if it can.
std::string whyNotBindable(const clang::Expr& glvalue);

}  // namespace cui::constructs
