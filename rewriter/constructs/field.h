// What no reference can be bound to. Of bit fields and members of packed structures, the structure around
// them is wrapped instead, and where they lie in it is said in numbers; what is within such a member is named
// twice.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <string>
#include <vector>

#include "constructs/scope.h"

namespace cui::constructs {

struct FieldPlace {
  std::string reason;                 ///< why it cannot be wrapped; "" if it can
  const clang::Expr* base = nullptr;  ///< what to wrap; of CUI_THIS_FIELD, the member's name
  edit::Form form = edit::Form::CUI_FIELD;
  Measures measures;      ///< bytes of the member, or of a bit field's storage unit; offset in the structure
  std::string name;       ///< the member's, as CUI_ANY_FIELD has it, if it can; the virtual base class's
  bool bitField = false;  ///< a store writes back the rest of its storage unit: it is a read and a write
};

/// Where the last of those base classes lies in an object of that class: in the last virtual base on the way,
/// whose own place is not known, if there is one. That is the result. Adds to `bits`.
clang::QualType placeOfBase(const std::vector<const clang::CXXBaseSpecifier*>& way,
                            const clang::CXXRecordDecl* record, std::uint64_t& bits, bool& understood,
                            const clang::ASTContext& ast);

/// Of a glvalue for which whyNotBindable() has a reason.
FieldPlace placeOfField(const clang::Expr& glvalue, const Scope& scope);

/// Of the pointer to its class's virtual functions, which the object begins with that `object` names, or
/// points to if `arrow`; `method` is what stands there without an object where that is `this`.
FieldPlace placeOfTable(const clang::Expr& object, bool arrow, const clang::Expr& method, const Scope& scope);

/// The same of the pointer that tells where a virtual base class is, which `object` has been converted to;
/// nothing where the source or the class says.
std::optional<FieldPlace> placeOfTableOnWay(const clang::Expr& object, bool arrow, const clang::Expr& member,
                                            const Scope& scope);

/// Of what a constructor initialises, in its object: `measures` and `reason`.
FieldPlace placeOfInitialised(const clang::CXXCtorInitializer& member, const clang::ASTContext& ast);

/// An overloaded `->`, which the source does not spell again: the handle's own yields another handle.
bool isArrow(const clang::Expr& object);

/// Of a structure, by an attribute or a pragma, that makes it lie closer than its type asks for.
bool isPacked(const clang::FieldDecl& field);
bool isPackedMember(const clang::Expr& glvalue);

/// No reference binds to that glvalue, nor to a structure that could tell where it is: an array's element or
/// a member in a packed member. CUI_PACKED has it twice.
bool isNamedTwice(const clang::Expr& glvalue, const Scope& scope);
/// Why that form cannot stand for it, whatever the text is; "" if it can.
std::string whyNotTwice(const clang::Expr& glvalue, const Scope& scope);
/// Says of its text that no reference binds to what it names.
void noteNamedTwice(const clang::Expr& glvalue, const Resolved& text, const Scope& scope);

}  // namespace cui::constructs
