// Functions that some of their declarations call `__device__` or `__host__ __device__`, and others do not. To
// nvcc such a function is for both sides (it warns if none of them says `__host__`); to Clang these are two
// functions. The source is then parsed again, with each of these declarations for both sides.
// So it is where a function of the device's calls one of the host's, which nvcc takes if nothing calls the
// former: Clang finds no such function, and loses the statement. And where one of the host's calls one of the
// device's, the toolkit's too (`__ldg`), in text that the host's side does not have (`#ifdef __CUDA_ARCH__`).
#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include "driver/other_words.h"
#include "driver/places.h"

namespace cui::driver {

/// Adds where the names of such functions stand: those in whose declarations Clang found a fault (the places
/// in `rejected`), and those of which it made two without a word. False if there is nothing new.
bool addBothSides(clang::ASTContext& ast, const RejectedDeclarations& rejected, NamePlaces& functions);

/// Has functions whose names are there declared for both sides. To be shown each token: follows those of a
/// declaration from its name to where it has been understood, behind the brace that opens its body, or the
/// semicolon. `functions` must live as long as the parse.
class BothSidesWatcher {
 public:
  BothSidesWatcher(clang::CompilerInstance& compiler, const NamePlaces& functions)
      : compiler_(compiler), functions_(functions) {}

  void operator()(const clang::Token& token);

 private:
  void writeSides() const;

  clang::CompilerInstance& compiler_;
  const NamePlaces& functions_;
  bool inside_ = false, ended_ = false;
  int depth_ = 0;
  const clang::IdentifierInfo* name_ = nullptr;
  clang::SourceLocation place_;  ///< of the name
};

/// Makes that known as if the source had said so.
void markBothSides(clang::ASTContext& ast, const NamePlaces& functions);

}  // namespace cui::driver
