// Where fields and base classes lie in a structure, also in a template's that nothing instantiates: there
// Clang has no layout, but what is in front of a field may be the same whatever the arguments are.
#pragma once

#include <clang/AST/DeclCXX.h>

#include <cstdint>
#include <optional>
#include <string>

#include "constructs/findings.h"

namespace cui::constructs {

inline constexpr char dependsOnArguments[] = "its size or place depends on the template's arguments";

/// So many bits into its structure the field begins; nothing where the template's arguments decide, or nobody
/// knows.
std::optional<std::uint64_t> placeInStructure(const clang::FieldDecl& field, const clang::ASTContext& ast);

/// So many bits into an object of `record`, a template's, its base class `base` begins; 0 if they are the
/// same.
std::optional<std::uint64_t> placeInPattern(const clang::CXXRecordDecl& record,
                                            const clang::CXXRecordDecl& base, const clang::ASTContext& ast);

/// What is accessed of a field that begins so many bits into its structure: of a bit field its storage unit,
/// the naturally aligned object of its declared type that holds it; where it lies in two of these, as packed
/// ones may, the bytes that have a part of it. Gives why nothing can be said of it, or "".
std::string measure(const clang::FieldDecl& field, std::uint64_t bits, const clang::ASTContext& ast,
                    Measures& measures);

}  // namespace cui::constructs
