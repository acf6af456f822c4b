// Where the walk through the program is: what a construct may ask while it looks at one node.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "constructs/findings.h"
#include "constructs/ranges.h"
#include "constructs/use.h"

namespace cui::constructs {

struct Settings {
  bool values = false;            ///< use the forms that record values
  bool separate = false;          ///< each access is recorded by itself (together.h)
  bool localArrays = false;       ///< private arrays count as memory
  bool relaxedConstexpr = false;  ///< constexpr functions are device code too
  bool cpu = false;  ///< for the CPU backend, which knows of texture fetches and of launches from device code
};

class KernelValues;
enum class Among;
struct RecordableLoop;  // loop.cpp
struct InnerLoop;       // inner_loop.h
struct StepsOfBlock;    // statements.cpp

struct Scope {
  const clang::ASTContext& ast;
  const Ranges& ranges;
  Findings& findings;
  Settings settings;

  std::vector<Node> path;                         ///< from the outermost declaration to the current node
  const clang::FunctionDecl* function = nullptr;  ///< innermost enclosing one
  bool device = false;                            ///< in a body that runs on the device
  unsigned constant = 0;                          ///< > 0 in unevaluated operands and constant expressions

  /// The statement or declaration around the current node; empty at the top.
  Node parent() const { return path.size() > 1 ? path[path.size() - 2] : Node(); }
  /// Where on the path a node of it is.
  std::size_t depthOf(const clang::Stmt& node) const;
  /// And where `function` is; behind the path's end if it is not there.
  std::size_t depthOfFunction() const;
  /// Whether `holds` of each statement on the path behind `from`, and the one in it, down to path[at]; what
  /// is not a statement there must be a variable's declaration.
  bool holdsOnTheWay(std::size_t from, std::size_t at,
                     const std::function<bool(const clang::Stmt&, const clang::Stmt&)>& holds) const;
  /// In a template's pattern, where types are not known.
  bool dependent() const { return function && function->isDependentContext(); }
  /// In code made from a template.
  bool instantiated() const;
  const std::string& functionName() const { return text().name; }
  /// `T=float, N=32`; "" outside templates.
  const std::string& templateContext() const { return text().templateContext; }
  unsigned loopDepth() const;
  clang::SourceLocation body() const;

  /// Of one function, asked for with each of its accesses: template arguments can be kilobytes.
  struct FunctionText {
    std::string name, templateContext;
  };
  mutable std::map<const clang::FunctionDecl*, FunctionText> texts;
  /// What is the same for all accesses of a loop or a full expression, however many it has: looked at once.
  mutable std::map<const clang::ForStmt*, std::shared_ptr<const RecordableLoop>> loops;
  mutable std::map<const clang::ForStmt*, std::shared_ptr<const InnerLoop>> innerLoops;
  mutable std::map<std::tuple<const clang::FunctionDecl*, Among, const clang::ForStmt*>,
                   std::shared_ptr<const KernelValues>>
      kernels;  ///< valuesOf()
  /// The variables that a full expression assigns to on its way; none: it does more than that (together.h).
  mutable std::map<const clang::Expr*, std::optional<std::vector<const clang::VarDecl*>>> quiet;
  /// The full expressions of a block one after the other, and the variables of a function that others might
  /// change (statements.cpp).
  mutable std::map<const clang::CompoundStmt*, std::shared_ptr<const StepsOfBlock>> steps;
  mutable std::map<const clang::FunctionDecl*, std::set<const clang::VarDecl*>> exposed;

  const FunctionText& text() const;
  std::string spellContext() const;
};

/// Qualified, without template arguments; a lambda is `f()::lambda`.
std::string qualifiedName(const clang::FunctionDecl& function);

/// Whether there is a launch in the function's body, lambdas' aside.
bool launchesKernels(const clang::FunctionDecl& function);

/// `::space::name` of a variable at file scope, as any code of the unit can spell it; "" of others.
std::string pathOf(const clang::VarDecl& variable);

}  // namespace cui::constructs
