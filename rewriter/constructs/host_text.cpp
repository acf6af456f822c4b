#include "constructs/host_text.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "constructs/callee.h"
#include "constructs/host_tokens.h"

namespace cui::constructs {
namespace {

constexpr char reason[] = "text that only the host's side has";

/// The function whose definition, as Clang read the rest of it, is around that place.
const clang::FunctionDecl* functionAround(const clang::DeclContext& context, clang::SourceLocation place,
                                          const clang::SourceManager& manager) {
  for (const clang::Decl* declared : context.noload_decls()) {  // the others are the toolkit's
    if (const auto* whole = clang::dyn_cast<clang::TemplateDecl>(declared)) {
      declared = whole->getTemplatedDecl();
      if (!declared) continue;
    }
    const clang::SourceRange range = declared->getSourceRange();
    if (!range.isValid() || !manager.isPointWithin(place, manager.getExpansionLoc(range.getBegin()),
                                                   manager.getExpansionRange(range.getEnd()).getEnd()))
      continue;
    if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(declared)) return function;
    if (const auto* inner = clang::dyn_cast<clang::DeclContext>(declared))
      if (const auto* function = functionAround(*inner, place, manager)) return function;
  }
  return nullptr;
}

/// Follows what is in one piece of text.
class Follower {
 public:
  Follower(const clang::ASTContext& ast, const Ranges& ranges, Findings& findings, FileIndex file,
           const HostText& where, bool follow, const std::set<std::string>& ownMacros)
      : ast_(ast),
        ranges_(ranges),
        findings_(findings),
        file_(file),
        where_(where),
        follow_(follow),
        ownMacros_(ownMacros),
        begin_(ranges.manager().getFileOffset(where.range.getBegin())),
        tokens_(ranges.sources().file(file).text.slice(
            begin_, ranges.manager().getFileOffset(where.range.getEnd()))) {}

  void run() {
    std::optional<std::size_t> name;
    for (std::size_t at = 0; at < tokens_.end(); ++at) {
      if (tokens_.isNested(at)) continue;
      const std::string_view word = tokens_.word(at);
      if (tokens_.isIdentifier(at) && word != "template") {
        name = at;
        if (isRuntimeFunction(word)) addCall(at);
      }
      // `k<T><<<…>>>`: the launch is told where its kernel is named.
      if (word != "<" || !tokens_.areThree(at, '<')) continue;
      if (const auto kernel = tokens_.nameBefore(at)) name = kernel;
      if (name) addLaunch(*name, at);
      at += 2;
    }
  }

 private:
  Resolved rangeOf(std::size_t first, std::size_t last) const {
    Resolved range;
    range.span = range.use = {file_, begin_ + static_cast<unsigned>(tokens_[first].begin),
                              begin_ + static_cast<unsigned>(tokens_[last].end)};
    range.located = true;
    return range;
  }

  std::string textOf(std::size_t first, std::size_t last) const {
    std::string text;
    for (std::size_t at = first; at <= last; ++at) {
      const bool words = at > first && tokens_.isIdentifier(at) && tokens_.isIdentifier(at - 1);
      if (words || (at > first && tokens_.word(at - 1) == ",")) text += ' ';
      text += tokens_.word(at);
    }
    return text;
  }

  void say(std::size_t name) {
    AccessSeen seen;
    seen.range = rangeOf(name, name);
    seen.range.reason = reason;
    seen.site.expression = tokens_.word(name);
    findings_.add(std::move(seen));
  }

  /// False where an edit would change what macros make of the text.
  bool canEdit(std::size_t first, std::size_t last, Resolved& range) const {
    for (std::size_t at = first; at <= last; ++at)
      if (tokens_.inDirective(at) || tokens_.isNested(at)) return false;
    if (!ranges_.sources().whyExcluded(file_, range.span.begin, range.span.end).empty()) return false;
    return llvm::all_of(tokens_.around(first), [&](const HostTokens::Around& around) {
      if (ownMacros_.count(std::string(around.name)) > 0) return false;
      const clang::MacroInfo* macro = ranges_.preprocessing().functionLike(around.name);
      if (!macro || macro->getNumParams() == 0) return true;
      const unsigned number = std::min(around.argument, macro->getNumParams() - 1);
      const clang::IdentifierInfo* parameter = macro->params()[number];
      return !ranges_.preprocessing().isStringised(*macro, parameter) ||
             ranges_.keepTexts(*macro, parameter, range);
    });
  }

  std::string functionName() {
    if (!functionName_) {
      const clang::FunctionDecl* function =
          functionAround(*ast_.getTranslationUnitDecl(), where_.range.getBegin(), ranges_.manager());
      functionName_ = function ? qualifiedName(*function) : "";
    }
    return *functionName_;
  }

  /// A function of the program's by that name may be what is called.
  bool isOwnName(std::string_view name) const {
    const auto known = ast_.Idents.find(llvm::StringRef(name));
    if (known == ast_.Idents.end()) return false;
    const auto found = ast_.getTranslationUnitDecl()->lookup(known->second);
    return llvm::any_of(found, [&](const clang::NamedDecl* declared) {
      return !ranges_.manager().isInSystemHeader(declared->getLocation());
    });
  }

  void addCall(std::size_t at) {
    CallFound found;
    found.name = rangeOf(at, at);
    const std::string_view before = at > 0 ? tokens_.word(at - 1) : "";
    bool plain = before != "." && before != ">" && before != "&";
    if (at > 1 && before == ":" && tokens_.word(at - 2) == ":") {
      plain = at == 2 || (tokens_.word(at - 3) != ">" && !tokens_.isIdentifier(at - 3));
      found.form = edit::Form::CUI_GLOBAL_API;
    } else if (at > 0 && tokens_.isIdentifier(at - 1)) {
      plain = before == "return" || before == "else" || before == "do";
    }
    const std::optional<std::size_t> last =
        tokens_.word(at + 1) == "(" ? tokens_.closing(at + 1) : std::nullopt;
    if (!follow_ || !plain || !last || isOwnName(tokens_.word(at)) || !canEdit(at, *last, found.name))
      return say(at);
    found.call.api = tokens_.word(at);
    found.call.function = functionName();
    found.call.variable = subject(at + 2, *last);
    findings_.add(std::move(found));
  }

  /// The object in `&d_in`, `(void**)&s->p`, `d_in`, up to the first comma; "" if it is another expression.
  std::string subject(std::size_t first, std::size_t last) const {
    if (tokens_.word(first) == "(") {
      const std::optional<std::size_t> cast = tokens_.closing(first);
      if (!cast) return "";
      first = *cast + 1;
    }
    if (tokens_.word(first) == "&") ++first;
    std::size_t end = first;
    for (; end < last && tokens_.word(end) != ","; ++end) {
      const std::string_view word = tokens_.word(end);
      if (!tokens_.isIdentifier(end) && word != "." && word != "-" && word != ">") return "";
    }
    return end == first ? "" : textOf(first, end - 1);
  }

  void addLaunch(std::size_t name, std::size_t open) {
    const std::optional<HostTokens::Launch> launch = follow_ ? tokens_.launchAt(open) : std::nullopt;
    if (!launch) return say(name);
    LaunchFound found;
    found.whole = rangeOf(launch->begin, launch->last);
    if (!canEdit(launch->begin, launch->last, found.whole)) return say(name);
    found.open = rangeOf(open, open + 2);
    found.close = rangeOf(launch->close, launch->close + 2);
    // A macro's name may stand for several of them.
    found.arguments.push_back(
        {rangeOf(open + 3, launch->close - 1), edit::open(edit::Form::CUI_CONFIGURATION)});
    found.written = textOf(launch->begin, open - 1);
    found.seen.launch.function = functionName();
    found.seen.launch.hasStream = launch->arguments == 4;
    const std::string base = kernelNamed(textOf(launch->begin, name));
    if (!base.empty()) found.seen.kernelBases.insert(base);
    findings_.add(std::move(found));
  }

  /// The only kernel of the program's by that name, with its namespaces; "" if there are several.
  std::string kernelNamed(std::string_view written) const {
    if (written.starts_with("::")) written.remove_prefix(2);
    std::set<std::string> names;
    for (const auto& [place, found] : findings_.kernels()) {
      const std::string_view known = found.kernel.name;
      if (known == written || (known.ends_with(written) && known.size() > written.size() + 1 &&
                               known.substr(0, known.size() - written.size()).ends_with("::")))
        names.insert(found.kernel.name);
    }
    return names.size() == 1 ? *names.begin() : "";
  }

  const clang::ASTContext& ast_;
  const Ranges& ranges_;
  Findings& findings_;
  FileIndex file_;
  const HostText& where_;
  bool follow_;
  const std::set<std::string>& ownMacros_;
  unsigned begin_;
  HostTokens tokens_;
  std::optional<std::string> functionName_;
};

/// Clang never saw the macros that such text defines.
void addMacros(std::string_view text, std::set<std::string>& names) {
  const HostTokens tokens(text);
  for (std::size_t at = 0; at < tokens.end(); ++at)
    if (tokens.inDirective(at) && tokens.word(at) == "define") names.emplace(tokens.word(at + 1));
}

}  // namespace

void tellHostText(const clang::ASTContext& ast, const Ranges& ranges, const Settings& settings,
                  Findings& findings) {
  const clang::SourceManager& manager = ranges.manager();
  std::map<const HostText*, FileIndex> texts;
  std::set<std::string> ownMacros;
  for (const HostText& one : ranges.preprocessing().hostText) {
    const auto [id, begin] = manager.getDecomposedLoc(one.range.getBegin());
    FileIndex index = 0;
    if (!ranges.sources().find(id, index) || !ranges.sources().file(index).wanted) continue;
    const unsigned end = manager.getFileOffset(one.range.getEnd());
    const llvm::StringRef text = ranges.sources().file(index).text;
    if (end <= begin || end > text.size()) continue;
    texts.emplace(&one, index);
    addMacros(text.slice(begin, end), ownMacros);
  }
  // The CPU backend leaves all of that out.
  for (const auto& [one, index] : texts)
    Follower(ast, ranges, findings, index, *one, one->sure && !settings.cpu, ownMacros).run();
}

}  // namespace cui::constructs
