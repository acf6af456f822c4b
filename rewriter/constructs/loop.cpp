#include "constructs/loop.h"

#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "constructs/alike.h"
#include "constructs/grid_row.h"
#include "constructs/inner_loop.h"
#include "constructs/loop_shape.h"
#include "constructs/loop_text.h"
#include "constructs/plain_value.h"
#include "constructs/together.h"
#include "constructs/visitor.h"

namespace cui::constructs {
namespace {

class Labels : public Visitor {
  bool onStatement(clang::Stmt& statement) override { return !clang::isa<clang::LabelStmt>(statement); }
};

/// A declaration in front of the `for` at path[at] is one more statement of the block around it, and nobody
/// jumps over it.
bool isInBlock(const std::vector<Node>& path, std::size_t at) {
  if (at < 2) return false;
  const std::size_t block =
      clang::isa_and_nonnull<clang::AttributedStmt>(path[at - 1].stmt) ? at - 2 : at - 1;
  const auto* compound = clang::dyn_cast_or_null<clang::CompoundStmt>(path[block].stmt);
  if (!compound || block == 0 || clang::isa_and_nonnull<clang::SwitchStmt>(path[block - 1].stmt))
    return false;
  for (const clang::Stmt* statement : compound->body())
    if (clang::isa<clang::SwitchCase>(statement)) return false;
  return Labels().traverse(*compound);
}

/// The innermost `for` around path[at] in the same function; 0 if there is none.
std::size_t findFor(const std::vector<Node>& path, std::size_t at) {
  while (at > 0 && !clang::isa_and_nonnull<clang::ForStmt>(path[at].stmt)) {
    // A loop around a lambda or another function is none of this code.
    if (path[at].decl && clang::isa<clang::FunctionDecl>(path[at].decl)) return 0;
    if (clang::isa_and_nonnull<clang::LambdaExpr>(path[at].stmt)) return 0;
    --at;
  }
  return at;
}

/// From the loop's body down to the access, or another loop, every statement is executed once each time
/// round.
bool isAlwaysMade(const std::vector<Node>& path, std::size_t loop, std::size_t end) {
  for (std::size_t i = loop + 1; i < end; ++i) {
    const clang::Stmt* stmt = path[i].stmt;
    if (!stmt) {
      if (!clang::isa_and_nonnull<clang::VarDecl>(path[i].decl)) return false;
    } else if (const auto* expr = clang::dyn_cast<clang::Expr>(stmt)) {
      const auto* child = clang::dyn_cast_or_null<clang::Expr>(path[i + 1].stmt);
      if (!child || !alwaysEvaluates(*expr, *child)) return false;
    } else if (const auto* branch = clang::dyn_cast<clang::IfStmt>(stmt)) {
      if (path[i + 1].stmt != branch->getCond()) return false;
    } else if (!clang::isa<clang::CompoundStmt, clang::DeclStmt, clang::AttributedStmt>(stmt)) {
      return false;
    }
  }
  return true;
}

/// The loop as written, in a file itself and in one piece, without directives but pragmas that unroll: it is
/// the same wherever it is compiled.
bool isUnrolling(llvm::StringRef directive) {
  directive = directive.ltrim();
  if (!directive.consume_front("pragma") || directive.find_first_of("\\\"") != directive.npos) return false;
  directive = directive.ltrim();
  return directive.starts_with("unroll") || directive.starts_with("nounroll");
}

bool findText(const clang::ForStmt& loop, const Scope& scope, Span& span) {
  const Resolved first = scope.ranges.resolveToken(loop.getForLoc());
  const Resolved last = scope.ranges.resolveToken(loop.getBody()->getEndLoc());
  for (const Resolved* token : {&first, &last})
    if (!token->located || !token->reason.empty() || token->macro || !token->outermostMacro.empty())
      return false;
  if (first.span.file != last.span.file || first.span.begin >= last.span.end) return false;
  span = {first.span.file, first.span.begin, last.span.end};
  if (!scope.ranges.sources().tokens(span.file).expandsNothing(span.begin, span.end)) return false;
  llvm::StringRef text =
      scope.ranges.sources().file(span.file).text.substr(span.begin, span.end - span.begin);
  while (!text.empty()) {
    const auto [line, rest] = text.split('\n');
    if (line.ltrim().starts_with("#") && !isUnrolling(line.ltrim().drop_front())) return false;
    text = rest;
  }
  return true;
}

/// `int, k, 0, <, n, + 1`
std::string textOf(const LoopHead& head, const Scope& scope) {
  const std::string name = head.variable->getNameAsString();
  const std::string from = head.first ? operand(*head.first, scope) : name;
  const std::string bound = operand(*head.bound, scope);
  const std::string step = head.step ? operand(*head.step, scope) : "1";
  if (from.empty() || bound.empty() || step.empty() || name.empty()) return "";
  clang::PrintingPolicy policy(scope.ast.getLangOpts());
  const std::string type =
      head.variable->getType().getCanonicalType().getUnqualifiedType().getAsString(policy);
  return type + ", " + name + ", " + from + ", " + clang::BinaryOperator::getOpcodeStr(head.relation).str() +
         ", " + bound + ", " + (head.down ? "- " : "+ ") + step;
}

}  // namespace

/// A loop that can be recorded as far as it itself goes; which of its accesses can be is for each to say.
struct RecordableLoop {
  LoopSeen seen;  ///< without the access's locals
  LoopChanges changes;
  bool isShort = false;  ///< it goes round a few times, as its source says
};

namespace {

/// Loops that go round more often are not unrolled as a whole, unless a pragma asks for it.
constexpr std::uint64_t mostTimes = 128, mostTimesAsked = 1024;

/// The loop at path[from]; null if nothing in it can be recorded in front of it.
std::shared_ptr<const RecordableLoop> recordable(std::size_t from, const Scope& scope) {
  const auto& loop = *clang::cast<clang::ForStmt>(scope.path[from].stmt);
  if (!isInBlock(scope.path, from)) return nullptr;
  const std::optional<LoopHead> head = headOf(loop);
  LoopSeen seen;
  if (!head || !findText(loop, scope, seen.span)) return nullptr;
  seen.quiet = isQuietBody(*loop.getBody(), scope.ranges.manager());
  if (!seen.quiet && !isLeftByItsEnd(*loop.getBody(), scope.ranges.manager())) return nullptr;
  LoopChanges changes(loop, *head);
  if (!changes.keepsCount() || !changes.isSteady(*head->bound) ||
      (head->step && !changes.isSteady(*head->step)))
    return nullptr;
  seen.head = textOf(*head, scope);
  const edit::TokenIndex& tokens = scope.ranges.sources().tokens(seen.span.file);
  const edit::TokenIndex::Front front = tokens.inFrontOf(seen.span.begin);
  if (seen.head.empty() || front.place == std::string::npos) return nullptr;
  seen.before = static_cast<unsigned>(front.place);
  if (seen.quiet) {  // others have none, and can be long
    seen.copy = front.pragmas + tokens.onOneLine(seen.span.begin, seen.span.end);
    // An expression's range ends before its semicolon.
    if (!seen.copy.ends_with("}") && !seen.copy.ends_with(";")) seen.copy += ";";
  }
  const std::optional<std::uint64_t> times = timesOf(*head);
  const bool asked = front.pragmas.find("unroll") != std::string::npos;
  seen.times = times.value_or(0);
  seen.steady = isSteady(loop, scope);
  const bool isShort = times && *times > 0 && *times <= (asked ? mostTimesAsked : mostTimes);
  return std::make_shared<RecordableLoop>(RecordableLoop{std::move(seen), std::move(changes), isShort});
}

}  // namespace

std::vector<LoopSeen> loopsAround(const clang::Expr& access, const Span& text, bool alike,
                                  const Scope& scope) {
  std::vector<LoopSeen> loops;
  if (scope.dependent() || !scope.function || scope.function->isConstexpr() || !isPlainPlace(access))
    return loops;
  const std::vector<Node>& path = scope.path;
  std::vector<const InnerLoop*> inner;  // from inside
  for (std::size_t below = scope.depthOf(access), from = findFor(path, below); from != 0;
       below = from, from = findFor(path, from - 1)) {
    const auto& loop = *clang::cast<clang::ForStmt>(path[from].stmt);
    if (!isAlwaysMade(path, from, below)) break;
    if (path[from + 1].stmt == loop.getInit()) continue;  // once, as if it stood in front of the loop
    if (path[from + 1].stmt != loop.getBody()) break;
    const auto [known, fresh] = scope.loops.try_emplace(&loop);
    if (fresh) known->second = recordable(from, scope);
    if (known->second && known->second->seen.span.file == text.file) {
      const LoopChanges& changes = known->second->changes;
      changes.ask(variablesOf(inner));
      LoopSeen seen = known->second->seen;
      if (changes.isEvenPlace(access) && changes.keepsNames(access) &&
          findLocals(changes, scope, seen.locals) && writeOut(access, text, inner, changes, scope, seen)) {
        seen.steady = seen.steady && inner.empty() && hasOwnVariables(access, scope);
        if (seen.quiet) {
          seen.fixed = known->second->isShort && changes.isSurelyEven(access);
          if (alike) seen.alike = alikeNumbers(scope, scope.depthOfFunction(), from).all();
          if (inner.empty()) seen.row = loopRow(loop, from, access, scope);
        }
        if (seen.quiet || seen.steady) loops.push_back(std::move(seen));
      }
    }
    inner.push_back(innerLoop(loop, scope));
    if (!inner.back()) break;
  }
  return loops;
}

}  // namespace cui::constructs
