// One construct: a form of source code that the rewriter knows how to find and what to record of it.
//
// Each is a class in a file of its own and a row in constructs.def. A construct never edits: it adds what
// it found to scope.findings, once per template instantiation and macro expansion that the walk meets.
#pragma once

#include <memory>
#include <vector>

#include "constructs/scope.h"

namespace cui::constructs {

class Construct {
 public:
  virtual ~Construct() = default;
  /// An evaluated expression of code that runs on the device.
  virtual void onDeviceExpression(const clang::Expr&, Scope&) const {}
  /// An evaluated expression of code that runs on the host (also where it may run on both).
  virtual void onHostExpression(const clang::Expr&, Scope&) const {}
  /// A statement of code that runs on the device.
  virtual void onDeviceStatement(const clang::Stmt&, Scope&) const {}
  /// A function with a body, before the walk enters it.
  virtual void onFunction(const clang::FunctionDecl&, Scope&) const {}
  /// A variable, wherever declared.
  virtual void onVariable(const clang::VarDecl&, Scope&) const {}
};

/// All rows of constructs.def, in their order.
std::vector<std::unique_ptr<Construct>> makeConstructs();

}  // namespace cui::constructs
