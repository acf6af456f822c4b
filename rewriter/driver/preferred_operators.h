// Operators that nvcc and GCC prefer where C++ calls it ambiguous (`0.5 * v` of `V operator*(float, V)` and a
// class V that is a `float`, too): those of the program's whose operand the language converts, over the
// built-in ones, for which the class does. The source is then parsed again, with the same operator declared
// for such numbers.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>
#include <clang/Basic/Diagnostic.h>

#include <optional>
#include <vector>

#include "driver/places.h"

namespace cui::driver {

/// The operator at that place, if it took such a number for its parameter of that number.
struct PreferredOperator {
  clang::SourceLocation place;
  unsigned parameter;
  clang::BuiltinType::Kind kind;
};

/// The types that an error is about: of an operator that Clang cannot choose, its operands' (left, right).
std::vector<clang::QualType> operandsOf(const clang::Diagnostic& error);
/// The program's operator that the note behind it is about, if GCC would take it for these operands.
std::optional<PreferredOperator> preferredOf(const clang::Diagnostic& note,
                                             const std::vector<clang::QualType>& operands);

class PreferredOperators {
 public:
  /// False if there is nothing new.
  bool add(const clang::SourceManager& manager, const clang::LangOptions& language,
           const std::vector<PreferredOperator>& preferred);
  /// When the body of a function begins: has it declared for the numbers that it is preferred for.
  void declare(clang::Decl& declared) const;

 private:
  struct Numbers {
    NamePlaces places;
    unsigned parameter;
    clang::BuiltinType::Kind kind;
  };
  std::vector<Numbers> numbers_;
};

}  // namespace cui::driver
