#include "constructs/inner_loop.h"

#include <memory>
#include <optional>

#include "constructs/loop_shape.h"
#include "cuinstrument/format/record.h"

namespace cui::constructs {
namespace {

/// What a literal of the type ends with; null if there are none of it.
const char* suffixOf(clang::QualType type) {
  const auto* builtin =
      clang::dyn_cast<clang::BuiltinType>(type.getCanonicalType().getUnqualifiedType().getTypePtr());
  switch (builtin ? builtin->getKind() : clang::BuiltinType::Void) {
    case clang::BuiltinType::Int:
      return "";
    case clang::BuiltinType::UInt:
      return "u";
    case clang::BuiltinType::Long:
      return "l";
    case clang::BuiltinType::ULong:
      return "ul";
    case clang::BuiltinType::LongLong:
      return "ll";
    case clang::BuiltinType::ULongLong:
      return "ull";
    default:
      return nullptr;
  }
}

std::shared_ptr<const InnerLoop> lookAtInner(const clang::ForStmt& loop, const Scope& scope) {
  const std::optional<LoopHead> head = headOf(loop);
  const std::optional<std::uint64_t> times = head ? timesOf(*head) : std::nullopt;
  if (!times || *times == 0 || *times > format::maxLoopAccesses) return nullptr;
  const std::optional<LoopStart> start = startOf(*head);
  const char* const suffix = suffixOf(head->variable->getType());
  const Resolved first = scope.ranges.resolveToken(loop.getForLoc());
  const Resolved last = scope.ranges.resolveToken(loop.getBody()->getEndLoc());
  // Of its own: nothing else in the loop around it asks for it.
  if (!start || !suffix || !clang::isa<clang::DeclStmt>(loop.getInit()) || !first.located || !last.located ||
      first.use.file != last.use.file || !LoopChanges(loop, *head).keepsCount())
    return nullptr;
  InnerLoop inner;
  inner.span = {first.use.file, first.use.begin, last.use.end};
  inner.variable = head->variable;
  for (std::uint64_t time = 0; time < *times; ++time) {
    const std::int64_t value = start->first + static_cast<std::int64_t>(time) * start->step;
    const std::string text = std::to_string(value);
    // A constant below zero is one that nvcc warns of, where it is added to an unsigned number.
    inner.values.push_back(value < 0 ? "::cui::cuiMinus(" + text.substr(1) + suffix + ")" : text + suffix);
  }
  return std::make_shared<const InnerLoop>(std::move(inner));
}

}  // namespace

const InnerLoop* innerLoop(const clang::ForStmt& loop, const Scope& scope) {
  const auto [known, fresh] = scope.innerLoops.try_emplace(&loop);
  if (fresh) known->second = lookAtInner(loop, scope);
  return known->second.get();
}

std::set<const clang::VarDecl*> variablesOf(const std::vector<const InnerLoop*>& loops) {
  std::set<const clang::VarDecl*> variables;
  for (const InnerLoop* loop : loops) variables.insert(loop->variable);
  return variables;
}

}  // namespace cui::constructs
