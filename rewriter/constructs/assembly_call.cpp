// Inline assembly on the CPU backend, which interprets PTX: the statement's parts are wrapped so that it is a
// call. `asm volatile("…" : "=r"(x) : "r"(y) : "memory")` has no operator that C++ could be made to overload,
// but its words, its colons and its constraints are tokens that a macro can take away or turn into others.
#include <clang/AST/Stmt.h>

#include "constructs/catalogue.h"
#include "edit/lexer.h"

namespace cui::constructs {
namespace {

using edit::Form;
using edit::Token;
using edit::TokenKind;

/// The statement's tokens, from `asm` to the closing parenthesis.
class Parts {
 public:
  Parts(llvm::StringRef text, const Span& whole) : text_(text), file_(whole.file), from_(whole.begin) {}

  /// False if the text does not hold the whole statement.
  bool read(RespellingFound& found) {
    edit::Lexer lexer(std::string_view(text_.data() + from_, text_.size() - from_));
    int depth = 0;
    for (Token token; lexer.next(token);) {
      if (token.kind == TokenKind::hash || token.kind == TokenKind::headerName) return false;
      if (token.kind == TokenKind::space || token.kind == TokenKind::comment) continue;
      const char first = text_[from_ + token.begin];
      const bool isMark = token.kind == TokenKind::punctuation;
      if (depth == 0 && isMark && first != '(') return false;
      if (depth == 0 && !isMark) {
        words_.take(token);
        continue;
      }
      if (depth == 1 && isMark && (first == ':' || first == ',')) {
        endPart(found);
        if (first == ':') colons_.take(token), inOperands_ = true;
        continue;
      }
      if (isMark && (first == ')' || first == ']')) {
        if (--depth == 0) {
          endPart(found);
          if (!colons_.isEmpty) addWrap(Form::CUI_PTX_END, colons_, found);
          addWrap(Form::CUI_PTX, words_, found);
          end_ = from_ + static_cast<unsigned>(token.end);
          return true;
        }
      }
      if (depth == 1) {
        if (!colons_.isEmpty) addWrap(Form::CUI_PTX_NEXT, colons_, found), colons_ = {};
        if (opened_ && first == '"') endPart(found), parted_ = true;  // nvcc does not miss the comma
        if (isMark && first == '(') opened_ = true;
        if (!opened_ && inOperands_) constraint_.take(token);
      }
      if (isMark && (first == '(' || first == '[')) ++depth;
    }
    return false;
  }
  unsigned operands() const { return operands_; }
  unsigned end() const { return end_; }

 private:
  struct Run {
    std::size_t begin = 0, end = 0;
    bool isEmpty = true;
    void take(const Token& token) {
      if (isEmpty) begin = token.begin;
      end = token.end;
      isEmpty = false;
    }
  };
  void addWrap(Form form, const Run& run, RespellingFound& found) const {
    found.wraps.emplace_back(
        form, Span{file_, from_ + static_cast<unsigned>(run.begin), from_ + static_cast<unsigned>(run.end)});
  }
  /// Of an operand, `[name] "=r"` is wrapped; of what is only said to change, nothing.
  void endPart(RespellingFound& found) {
    if (opened_ && !constraint_.isEmpty) {
      addWrap(parted_ ? Form::CUI_PTX_NEXT_OPERAND : Form::CUI_PTX_OPERAND, constraint_, found);
      ++operands_;
    }
    constraint_ = {};
    opened_ = parted_ = false;
  }

  llvm::StringRef text_;
  FileIndex file_;
  unsigned from_, end_ = 0, operands_ = 0;
  Run words_, colons_, constraint_;
  bool inOperands_ = false, opened_ = false, parted_ = false;
};

class AssemblyCall : public Construct {
  void onDeviceStatement(const clang::Stmt& stmt, Scope& scope) const override {
    const auto* statement = clang::dyn_cast<clang::GCCAsmStmt>(&stmt);
    if (!statement || !scope.settings.cpu) return;
    RespellingFound found;
    found.whole = scope.ranges.resolveCall({statement->getAsmLoc(), statement->getRParenLoc()});
    if (!found.whole.located) return;
    found.function = scope.functionName();
    found.written = "asm";
    if (found.whole.reason.empty() && !readParts(*statement, scope, found))
      found.whole.reason = "its operands are in another macro's text";
    scope.findings.add(std::move(found));
  }

  static bool readParts(const clang::GCCAsmStmt& statement, const Scope& scope, RespellingFound& found) {
    const Span& whole = found.whole.span;
    Parts parts(scope.ranges.sources().file(whole.file).text, whole);
    return parts.read(found) && parts.end() == whole.end &&
           parts.operands() == statement.getNumOutputs() + statement.getNumInputs();
  }
};

}  // namespace

std::unique_ptr<Construct> makeAssemblyCall() {
  return std::make_unique<AssemblyCall>();
}

}  // namespace cui::constructs
