#include "constructs/preprocessing.h"

#include <clang/Basic/SourceManager.h>

namespace cui::constructs {
namespace {

class Recorder : public clang::PPCallbacks {
 public:
  Recorder(const clang::SourceManager& manager, Preprocessing& result) : manager_(manager), result_(result) {}

  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override {
    const clang::MacroInfo* macro = directive->getMacroInfo();
    if (macro->isFunctionLike()) result_.byName[name.getIdentifierInfo()->getName().str()] = macro;
    if (name.getLocation().isInvalid() || manager_.isInSystemHeader(name.getLocation())) return;
    result_.definitions[macro->getDefinitionLoc()] = macro;
    result_.names[macro] = name.getIdentifierInfo()->getName().str();
  }

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition, clang::SourceRange,
                    const clang::MacroArgs*) override {
    const clang::MacroInfo* macro = definition.getMacroInfo();
    if (!macro || !result_.names.count(macro)) return;
    result_.expansions[macro].insert(name.getLocation());
  }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool angled,
                          clang::CharSourceRange range, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    add(hash, range.getBegin(), name, angled, file, false);
  }

  void HasInclude(clang::SourceLocation location, llvm::StringRef name, bool angled,
                  clang::OptionalFileEntryRef file, clang::SrcMgr::CharacteristicKind) override {
    if (!file) absent_.insert(name.str());
    add(location, {}, name, angled, file, true);
  }

  /// GCC before 13 forgets to complain of a missing header that `__has_include` has asked for, and so nvcc
  /// with it does. Another one says so when it compiles the result.
  bool FileNotFound(llvm::StringRef name) override { return absent_.count(name.str()) > 0; }

 private:
  void add(clang::SourceLocation hash, clang::SourceLocation begin, llvm::StringRef name, bool angled,
           clang::OptionalFileEntryRef file, bool conditional) {
    if (!hash.isValid() || manager_.isInSystemHeader(hash)) return;
    Include include;
    include.hash = hash;
    include.nameBegin = begin;
    include.spelled = name.str();
    include.angled = angled;
    include.conditional = conditional;
    if (file) {
      include.file = &file->getFileEntry();
      include.foundAs = file->getName().str();
    }
    result_.includes.push_back(std::move(include));
  }

  const clang::SourceManager& manager_;
  Preprocessing& result_;
  std::set<std::string> absent_;
};

}  // namespace

const clang::MacroInfo* Preprocessing::macroAt(clang::SourceLocation spelling) const {
  auto next = definitions.upper_bound(spelling);
  if (next == definitions.begin()) return nullptr;
  const clang::MacroInfo* macro = std::prev(next)->second;
  return !(macro->getDefinitionEndLoc() < spelling) ? macro : nullptr;
}

bool Preprocessing::isStringised(const clang::MacroInfo& macro,
                                 const clang::IdentifierInfo* parameter) const {
  std::set<std::pair<const clang::MacroInfo*, const clang::IdentifierInfo*>> seen;
  return isStringised(macro, parameter, seen);
}

bool Preprocessing::isStringised(
    const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
    std::set<std::pair<const clang::MacroInfo*, const clang::IdentifierInfo*>>& seen) const {
  if (!seen.insert({&macro, parameter}).second) return false;
  const auto tokens = macro.tokens();
  // Open calls of other macros in the body: which argument are we in.
  struct Call {
    const clang::MacroInfo* macro;  ///< null: a plain parenthesis
    unsigned argument;
  };
  std::vector<Call> calls;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const clang::Token& token = tokens[i];
    if (token.is(clang::tok::l_paren)) {
      const clang::MacroInfo* callee = nullptr;
      if (i > 0 && tokens[i - 1].getIdentifierInfo())
        if (const auto known = byName.find(tokens[i - 1].getIdentifierInfo()->getName().str());
            known != byName.end())
          callee = known->second;
      calls.push_back({callee, 0});
    } else if (token.is(clang::tok::r_paren) && !calls.empty()) {
      calls.pop_back();
    } else if (token.is(clang::tok::comma) && !calls.empty()) {
      ++calls.back().argument;
    }
    if (token.getIdentifierInfo() != parameter) continue;
    if (i > 0 && tokens[i - 1].isOneOf(clang::tok::hash, clang::tok::hashat, clang::tok::hashhash)) {
      // `, ## __VA_ARGS__` only removes a comma.
      const bool comma =
          i > 1 && tokens[i - 1].is(clang::tok::hashhash) && tokens[i - 2].is(clang::tok::comma);
      if (!comma) return true;
    }
    if (i + 1 < tokens.size() && tokens[i + 1].is(clang::tok::hashhash)) return true;
    for (const Call& call : calls) {
      if (!call.macro || call.macro->getNumParams() == 0) continue;
      const unsigned at = std::min(call.argument, call.macro->getNumParams() - 1);
      if (isStringised(*call.macro, call.macro->params()[at], seen)) return true;
    }
  }
  return false;
}

namespace {

bool isHash(const clang::Token& token) {
  return token.isOneOf(clang::tok::hash, clang::tok::hashat);
}

/// Of the parenthesis that token `at` is in: the token in front of it, or `at` if there is none.
std::size_t calleeOf(llvm::ArrayRef<clang::Token> tokens, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i-- > 0;) {
    if (tokens[i].isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace)) ++depth;
    if (!tokens[i].isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace)) continue;
    if (depth-- > 0) continue;
    return tokens[i].is(clang::tok::l_paren) && i > 0 ? i - 1 : at;
  }
  return at;
}

}  // namespace

bool Preprocessing::textRuns(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                             std::vector<clang::SourceRange>& runs) const {
  const auto tokens = macro.tokens();
  const auto literal = [&](std::size_t i) {
    return i < tokens.size() && tokens[i].is(clang::tok::string_literal);
  };
  const auto text = [&](std::size_t i) { return i + 1 < tokens.size() && isHash(tokens[i]); };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is(clang::tok::kw_constexpr)) return false;
    if (tokens[i].getIdentifierInfo() != parameter) continue;
    const bool pasted = (i > 0 && tokens[i - 1].is(clang::tok::hashhash)) ||
                        (i + 1 < tokens.size() && tokens[i + 1].is(clang::tok::hashhash));
    if (pasted) return false;
    const std::size_t callee = calleeOf(tokens, i);
    const clang::IdentifierInfo* name = callee == i ? nullptr : tokens[callee].getIdentifierInfo();
    const auto known = name ? byName.find(name->getName().str()) : byName.end();
    if (i == 0 || !isHash(tokens[i - 1])) {
      // Another macro would see the wrapped call's expansion.
      if (known != byName.end()) {
        std::set<std::pair<const clang::MacroInfo*, const clang::IdentifierInfo*>> seen;
        for (const clang::IdentifierInfo* inner : known->second->params())
          if (isStringised(*known->second, inner, seen)) return false;
      }
      continue;
    }
    std::size_t begin = i - 1, end = i + 1;
    for (;;) {
      if (begin > 0 && literal(begin - 1))
        --begin;
      else if (begin > 1 && text(begin - 2))
        begin -= 2;
      else
        break;
    }
    while (literal(end) || text(end)) end += literal(end) ? 1 : 2;
    if (begin == 0 || end >= tokens.size()) return false;
    const clang::Token &before = tokens[begin - 1], &after = tokens[end];
    if (!before.isOneOf(clang::tok::l_paren, clang::tok::comma, clang::tok::lessless, clang::tok::question,
                        clang::tok::colon, clang::tok::kw_return) ||
        !after.isOneOf(clang::tok::r_paren, clang::tok::comma, clang::tok::lessless, clang::tok::colon,
                       clang::tok::semi))
      return false;
    // Literals are required by these, and may be by a macro.
    if (known != byName.end() ||
        (name && tokens[callee].isOneOf(clang::tok::kw_static_assert, clang::tok::kw_asm,
                                        clang::tok::kw_sizeof, clang::tok::kw__Static_assert)))
      return false;
    runs.emplace_back(tokens[begin].getLocation(), tokens[end - 1].getLocation());
  }
  return !runs.empty();
}

std::unique_ptr<clang::PPCallbacks> recordPreprocessing(const clang::SourceManager& manager,
                                                        Preprocessing& result) {
  result.manager = &manager;
  return std::make_unique<Recorder>(manager, result);
}

}  // namespace cui::constructs
