#include "constructs/loop_text.h"

#include <algorithm>
#include <functional>
#include <map>

#include "cuinstrument/format/record.h"
#include "edit/token_index.h"

namespace cui::constructs {
namespace {

/// Names in a text that are to be replaced.
class Names {
 public:
  Names(const Span& text, const std::vector<const InnerLoop*>& loops, const LoopChanges& changes,
        const Scope& scope)
      : text_(text), loops_(loops), changes_(changes), scope_(scope) {}

  /// False if some of them stand elsewhere, as in a macro's definition.
  bool add(const clang::Stmt& stmt) {
    if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&stmt); name && !addName(*name)) return false;
    return std::all_of(stmt.child_begin(), stmt.child_end(),
                       [this](const clang::Stmt* child) { return !child || add(*child); });
  }
  bool empty() const { return names_.empty(); }

  /// On one line, at these times round the loops. "" if that cannot be.
  std::string at(const std::vector<std::size_t>& times) const {
    std::string all =
        scope_.ranges.sources().file(text_.file).text.substr(text_.begin, text_.end - text_.begin).str();
    for (const auto& [begin, name] : names_)
      all.replace(begin - text_.begin, name.length,
                  name.ahead.empty() ? loops_[name.loop]->values[times[name.loop]] : name.ahead);
    return edit::onOneLine(std::move(all));
  }

 private:
  struct Name {
    std::size_t length = 0, loop = 0;
    std::string ahead;  ///< of what advances: what stands for it
  };

  bool addName(const clang::DeclRefExpr& name) {
    const auto loop = std::find_if(loops_.begin(), loops_.end(),
                                   [&](const InnerLoop* one) { return one->variable == name.getDecl(); });
    const auto* variable = clang::dyn_cast<clang::VarDecl>(name.getDecl());
    const auto advance = changes_.advances().find(variable);
    if (loop == loops_.end() && advance == changes_.advances().end()) return true;
    const clang::SourceManager& manager = scope_.ranges.manager();
    clang::SourceLocation place = name.getLocation();
    while (place.isMacroID()) {
      if (!manager.isMacroArgExpansion(place)) return false;
      place = manager.getImmediateSpellingLoc(place);
    }
    const auto [id, offset] = manager.getDecomposedLoc(place);
    Sources& sources = scope_.ranges.sources();
    FileIndex file = 0;
    if (!sources.find(id, file) || file != text_.file) return false;
    const unsigned begin = sources.beginOfToken(file, offset);
    const llvm::StringRef written = variable->getName();
    if (begin < text_.begin || begin + written.size() > text_.end ||
        sources.file(file).text.substr(begin, written.size()) != written)
      return false;
    Name& one = names_[begin];
    one.length = written.size();
    if (loop != loops_.end()) {
      one.loop = static_cast<std::size_t>(loop - loops_.begin());
      return true;
    }
    one.ahead = ahead(advance->second, place);
    return !one.ahead.empty();
  }

  std::string ahead(const Advance& advance, clang::SourceLocation place) const {
    const std::string step = advance.step ? operand(*advance.step, scope_) : "1";
    const bool behind = advance.place.isValid() && scope_.ranges.manager().getFileOffset(place) >
                                                       scope_.ranges.manager().getFileOffset(advance.place);
    const std::string times = behind ? "cuiTime + 1" : "cuiTime";
    return step.empty() ? ""
                        : "::cui::cuiAhead(" + advance.variable->getName().str() + ", " + step + ", " +
                              (!advance.down ? times
                               : behind      ? "-(" + times + ")"
                                             : "-" + times) +
                              ")";
  }

  const Span text_;
  const std::vector<const InnerLoop*>& loops_;
  const LoopChanges& changes_;
  const Scope& scope_;
  std::map<unsigned, Name, std::greater<>> names_;  ///< from the last to the first
};

bool mentionsAdvance(const clang::Stmt& stmt, const LoopChanges& changes) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&stmt);
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  return changes.advances().count(variable) != 0 ||
         std::any_of(stmt.child_begin(), stmt.child_end(),
                     [&](const clang::Stmt* child) { return child && mentionsAdvance(*child, changes); });
}

/// On one line. "" if there is no such text.
std::string localOf(const clang::DeclStmt& declaration, const LoopChanges& changes, const Scope& scope) {
  if (!mentionsAdvance(declaration, changes))
    return edit::onOneLine(scope.ranges.text(declaration.getSourceRange()));
  const Resolved first = scope.ranges.resolveToken(declaration.getBeginLoc());
  const Resolved last = scope.ranges.resolveToken(declaration.getEndLoc());
  for (const Resolved* token : {&first, &last})
    if (!token->located || token->macro || !token->outermostMacro.empty()) return "";
  if (first.span.file != last.span.file || first.span.begin >= last.span.end) return "";
  const std::vector<const InnerLoop*> none;
  Names names({first.span.file, first.span.begin, last.span.end}, none, changes, scope);
  return names.add(declaration) ? names.at({}) : "";
}

}  // namespace

std::string operand(const clang::Expr& expr, const Scope& scope) {
  const std::string text = scope.ranges.line(expr.getSourceRange());
  if (text.empty()) return "";
  const auto isWord = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  return std::all_of(text.begin(), text.end(), isWord) ? text : "(" + text + ")";
}

bool findLocals(const LoopChanges& changes, const Scope& scope, std::vector<std::string>& locals) {
  std::vector<const clang::DeclStmt*> needed = changes.needed();
  std::sort(needed.begin(), needed.end(), [&](const clang::DeclStmt* a, const clang::DeclStmt* b) {
    return scope.ranges.manager().isBeforeInTranslationUnit(a->getBeginLoc(), b->getBeginLoc());
  });
  for (const clang::DeclStmt* declaration : needed) {
    std::string text = localOf(*declaration, changes, scope);
    if (!text.ends_with(";") || text.find("//") != std::string::npos) return false;
    locals.push_back(std::move(text));
  }
  return true;
}

bool writeOut(const clang::Expr& access, const Span& text, const std::vector<const InnerLoop*>& loops,
              const LoopChanges& changes, const Scope& scope, LoopSeen& seen) {
  std::size_t count = 1;
  for (const InnerLoop* loop : loops) {
    count *= loop->values.size();
    if (count > format::maxLoopAccesses) return false;
    seen.inner.insert(seen.inner.begin(), {loop->span, static_cast<unsigned>(loop->values.size())});
  }
  Names names(text, loops, changes, scope);
  if (!names.add(access)) return false;
  if (loops.empty() && names.empty()) return true;
  for (std::size_t time = 0; time < count; ++time) {
    std::vector<std::size_t> times;  // round each loop, from inside
    std::size_t rest = time;
    for (const InnerLoop* loop : loops) {
      times.push_back(rest % loop->values.size());
      rest /= loop->values.size();
    }
    std::string place = names.at(times);
    if (place.empty()) return false;
    seen.texts.push_back(std::move(place));
  }
  return true;
}

}  // namespace cui::constructs
