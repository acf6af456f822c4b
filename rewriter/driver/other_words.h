// Declarations that nvcc takes and Clang does not, because of one word. The source is then parsed again, with
// another word in its place:
// - `__shared__` of an object with a constructor that does something, such as cuda::barrier. nvcc calls no
//   constructor; Clang's tree lacks every use of the object.
// - `__device__` of a function that another declaration calls `__host__ __device__`. To nvcc it is for both
//   sides, to Clang these are two functions, one of them without a body.
// - an explicit instantiation without the attributes of its template (`template int f<int>(int*);`), which to
//   nvcc is for both sides then. They go with its `template`.
// - a specialisation without `__host__ __device__` of a function template that has both. nvcc takes them from
//   the template; Clang finds none that it could specialise. They go with its `constexpr` or `inline`.
// - `static` of a function template that was declared without it: of no weight to nvcc and GCC, to Clang an
//   error.
// - `"C"`, the constraint of a text that is part of an instruction in inline assembly. "X" takes anything.
// - `__attribute__` behind the specifiers of a lambda (`[&] mutable __attribute__((always_inline)) {}`),
//   where GCC has it, and Clang wants the body. It says nothing to us.
// - the parentheses around the elements of an array in a class (`Array<float, 2>(p[0], p[1])`), which nvcc
//   takes without braces of the array's own. In braces, Clang does, too.
// - `static_cast` of what has become a pointer to char (template_words.h).
#pragma once

#include <clang/AST/ASTContext.h>

#include <set>
#include <string>

#include "driver/places.h"

namespace cui::driver {

/// Where such words are.
using OtherWords = Places;

/// Places (of the declared names) where Clang complained.
struct RejectedDeclarations {
  std::set<clang::SourceLocation> objects;         ///< `__shared__`
  std::set<clang::SourceLocation> functions;       ///< declared for both sides, for one of them, or for none
  std::set<clang::SourceLocation> calls;           ///< of the host's functions, in the device's
  std::set<clang::SourceLocation> instantiations;  ///< explicit ones without the template's attributes
  std::set<clang::SourceLocation> statics;         ///< declared before without `static`
  std::set<clang::SourceLocation> casts;           ///< `static_cast`
  std::set<clang::SourceLocation> attributes;      ///< where a lambda's body is expected
  std::set<clang::SourceLocation> texts;           ///< constraints of operands of inline assembly
  std::set<clang::SourceLocation> elements;        ///< the first ones of arrays
};

/// Adds the words of these declarations. False if there is nothing new: words that no file holds, such as a
/// macro's that was defined on the command line, stay as they are.
bool addOtherWords(clang::ASTContext& ast, const RejectedDeclarations& rejected, OtherWords& words);

/// Puts the other words, which are as long, in their place.
void replaceWords(std::string& text, const std::set<unsigned>& offsets);

/// Defines the other words: to be included before the source.
extern const char* const otherWordsHeader;

}  // namespace cui::driver
