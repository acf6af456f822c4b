// Which calls stand in text that only the host's side has: it was never parsed, and is gone through token by
// token.
#include "constructs/host_text.h"

#include <clang/Basic/SourceManager.h>

#include <string>
#include <string_view>
#include <vector>

#include "constructs/callee.h"
#include "edit/lexer.h"

namespace cui::constructs {
namespace {

constexpr std::string_view reason = "text that only the host's side has";

/// Goes through skipped text, token by token.
class Teller {
 public:
  Teller(FileIndex file, std::string_view text, unsigned begin, Findings& findings)
      : file_(file), text_(text), begin_(begin), findings_(findings) {}

  void run() {
    edit::Lexer lexer(text_);
    edit::Token token;
    while (lexer.next(token)) {
      if (token.kind == edit::TokenKind::space || token.kind == edit::TokenKind::comment) continue;
      follow(token);
    }
  }

 private:
  std::string_view textOf(const edit::Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  /// What another condition chooses in there, neither side may have.
  void follow(const edit::Token& token) {
    const std::string_view word = textOf(token);
    if (afterHash_) depth_ += word.starts_with("if") ? 1 : word == "endif" ? -1 : 0;
    afterHash_ = token.kind == edit::TokenKind::hash;
    if (depth_ != 0) return;
    if (token.kind == edit::TokenKind::identifier && word != "template") {
      if (brackets_ == 0) name_ = token;
      if (isRuntimeFunction(word)) add(token);
    }
    // `k<T><<<…>>>`: the launch is told where its kernel is named.
    if (word == "<" && brackets_ == 0 && name_.end != 0 && text_.substr(token.begin).starts_with("<<<")) {
      add(name_);
      name_ = {};
    }
    brackets_ += word == "<" ? 1 : word == ">" && brackets_ > 0 ? -1 : 0;
    if (word == "(") {
      around_.push_back(brackets_);
      brackets_ = 0;
    } else if (word == ")" && !around_.empty()) {
      brackets_ = around_.back();  // `<` was a comparison
      around_.pop_back();
    }
    if (word == ";" || word == "{" || word == "}") {
      name_ = {};
      brackets_ = 0;
    }
  }

  void add(const edit::Token& token) {
    AccessSeen seen;
    seen.range.span = {file_, begin_ + static_cast<unsigned>(token.begin),
                       begin_ + static_cast<unsigned>(token.end)};
    seen.range.use = seen.range.span;
    seen.range.located = true;
    seen.range.reason = reason;
    seen.site.expression = textOf(token);
    findings_.add(std::move(seen));
  }

  FileIndex file_;
  std::string_view text_;
  unsigned begin_;
  Findings& findings_;
  bool afterHash_ = false;
  int depth_ = 0, brackets_ = 0;
  std::vector<int> around_;  ///< the brackets around each parenthesis that is open
  edit::Token name_{};
};

}  // namespace

void tellHostText(const Preprocessing& preprocessing, Sources& sources, Findings& findings) {
  const clang::SourceManager& manager = *preprocessing.manager;
  for (const clang::SourceRange& range : preprocessing.hostText) {
    const auto [id, begin] = manager.getDecomposedLoc(range.getBegin());
    FileIndex index = 0;
    if (!sources.find(id, index) || !sources.file(index).wanted) continue;
    const unsigned end = manager.getFileOffset(range.getEnd());
    const llvm::StringRef text = sources.file(index).text;
    if (end > begin && end <= text.size()) Teller(index, text.slice(begin, end), begin, findings).run();
  }
}

}  // namespace cui::constructs
