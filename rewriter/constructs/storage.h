// Where the object that a glvalue names is stored, as far as the source shows.
#pragma once

#include <clang/AST/Expr.h>

#include "cuinstrument/format/record.h"

namespace cui::constructs {

struct Storage {
  enum class Where {
    memory,        ///< shared, device or constant, or possibly so (through a pointer or reference)
    privateArray,  ///< an element of an array private to the thread
    privateObject  ///< a private variable, a temporary: registers
  };
  Where where = Where::memory;
  format::Space space = format::Space::generic;  ///< when it is provable
};

/// In instantiated or plain code; in a dependent pattern what is unknown counts as memory.
Storage storageOf(const clang::Expr& glvalue);
/// Of what a pointer points to.
Storage storageOfPointer(const clang::Expr& pointer);
/// Of a variable named directly.
Storage storageOf(const clang::VarDecl& variable);

/// An object of that type has pointers or references in it.
bool holdsPointer(clang::QualType type);

/// Declared __shared__, or as what stands for it (driver/other_words.h).
bool isShared(const clang::VarDecl& variable);
/// Annotation of the latter.
inline constexpr const char* sharedAnnotation = "cui.shared";

}  // namespace cui::constructs
