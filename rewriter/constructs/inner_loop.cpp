#include "constructs/inner_loop.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "constructs/loop_shape.h"
#include "cuinstrument/format/record.h"
#include "edit/token_index.h"

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
    const std::string literal = std::to_string(value) + suffix;
    inner.values.push_back(value < 0 ? "(" + literal + ")" : literal);
  }
  return std::make_shared<const InnerLoop>(std::move(inner));
}

/// Where the loops' variables stand in an access's text, as offsets in the file.
class Uses {
 public:
  Uses(const Span& text, const std::vector<const InnerLoop*>& loops, const Scope& scope)
      : text_(text), loops_(loops), scope_(scope) {}

  /// False if some of them stand elsewhere, as in a macro's definition.
  bool add(const clang::Stmt& stmt) {
    if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&stmt))
      for (std::size_t i = 0; i < loops_.size(); ++i)
        if (name->getDecl() == loops_[i]->variable && !addToken(name->getLocation(), i)) return false;
    return std::all_of(stmt.child_begin(), stmt.child_end(),
                       [this](const clang::Stmt* child) { return !child || add(*child); });
  }
  /// From the last to the first; which of the loops' variables it is.
  const std::map<unsigned, std::size_t, std::greater<>>& all() const { return uses_; }

 private:
  bool addToken(clang::SourceLocation place, std::size_t loop) {
    const clang::SourceManager& manager = scope_.ranges.manager();
    while (place.isMacroID()) {
      if (!manager.isMacroArgExpansion(place)) return false;
      place = manager.getImmediateSpellingLoc(place);
    }
    const auto [id, offset] = manager.getDecomposedLoc(place);
    Sources& sources = scope_.ranges.sources();
    FileIndex file = 0;
    if (!sources.find(id, file) || file != text_.file) return false;
    const unsigned begin = sources.beginOfToken(file, offset);
    const llvm::StringRef name = loops_[loop]->variable->getName();
    if (begin < text_.begin || begin + name.size() > text_.end ||
        sources.file(file).text.substr(begin, name.size()) != name)
      return false;
    uses_[begin] = loop;
    return true;
  }

  const Span& text_;
  const std::vector<const InnerLoop*>& loops_;
  const Scope& scope_;
  std::map<unsigned, std::size_t, std::greater<>> uses_;
};

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

bool writeOut(const clang::Expr& access, const Span& text, const std::vector<const InnerLoop*>& loops,
              const Scope& scope, LoopSeen& seen) {
  if (loops.empty()) return true;
  std::size_t count = 1;
  for (const InnerLoop* loop : loops) {
    count *= loop->values.size();
    if (count > format::maxLoopAccesses) return false;
    seen.inner.insert(seen.inner.begin(), {loop->span, static_cast<unsigned>(loop->values.size())});
  }
  Uses uses(text, loops, scope);
  if (!uses.add(access)) return false;
  const std::string whole =
      scope.ranges.sources().file(text.file).text.substr(text.begin, text.end - text.begin).str();
  for (std::size_t time = 0; time < count; ++time) {
    std::vector<std::size_t> times;  // round each loop, from inside
    std::size_t rest = time;
    for (const InnerLoop* loop : loops) {
      times.push_back(rest % loop->values.size());
      rest /= loop->values.size();
    }
    std::string place = whole;
    for (const auto& [begin, loop] : uses.all())
      place.replace(begin - text.begin, loops[loop]->variable->getName().size(),
                    loops[loop]->values[times[loop]]);
    place = edit::onOneLine(place);
    if (place.empty()) return false;
    seen.texts.push_back(std::move(place));
  }
  return true;
}

}  // namespace cui::constructs
