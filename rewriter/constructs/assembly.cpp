// Inline assembly: its memory instructions are read from the text, and the operands that hold their addresses
// are wrapped. What cannot be is a site that says why.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <charconv>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/plain_value.h"
#include "constructs/ptx.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

/// What Clang makes of `%=`.
constexpr std::string_view uniqueNumber = "${:uid}";

constexpr char alsoOutput[] = "its address is also an output";
constexpr char countInMacro[] = "a predicate or size in a macro's text";

class Assembly : public Construct {
  void onDeviceStatement(const clang::Stmt& stmt, Scope& scope) const override {
    const auto* statement = clang::dyn_cast<clang::GCCAsmStmt>(&stmt);
    if (!statement) return;
    unsigned number = 0;
    for (PtxAccess& one : memoryInstructions(textOfAssembly(*statement, scope.ast)))
      report(*statement, one, number++, scope);
  }

  /// Of an operand that is a part of the instruction, `"C"(Hint<T>::name)`, whose constraint has become "X"
  /// to Clang (driver/other_words.h); nullptr if it is none, or the template's arguments tell.
  static const clang::StringLiteral* namedText(const clang::GCCAsmStmt& statement, unsigned operand) {
    if (operand < statement.getNumOutputs()) return nullptr;
    const unsigned input = operand - statement.getNumOutputs();
    if (input >= statement.getNumInputs() || statement.getInputConstraint(input) != "X") return nullptr;
    const auto* named =
        clang::dyn_cast<clang::DeclRefExpr>(statement.getInputExpr(input)->IgnoreParenImpCasts());
    const auto* variable = named ? clang::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
    const clang::Expr* value = variable ? variable->getAnyInitializer() : nullptr;
    return value ? clang::dyn_cast<clang::StringLiteral>(value->IgnoreParenImpCasts()) : nullptr;
  }

  /// Operands as `%3`, also those that are named; registers of the assembly's own as `$r`.
  static std::string textOfAssembly(const clang::GCCAsmStmt& statement, const clang::ASTContext& ast) {
    llvm::SmallVector<clang::GCCAsmStmt::AsmStringPiece, 8> pieces;
    unsigned ignored = 0;
    std::string text;
    if (statement.AnalyzeAsmString(pieces, ast, ignored) != 0) return text;
    for (const auto& piece : pieces) {
      if (const clang::StringLiteral* named =
              piece.isOperand() ? namedText(statement, piece.getOperandNo()) : nullptr) {
        text += named->getString();
      } else if (piece.isOperand()) {
        text += "%" + std::to_string(piece.getOperandNo());
      } else {
        std::string plain = piece.getString();
        // `%=`, a number of the statement's own, mostly at the end of a label.
        for (std::size_t at; (at = plain.find(uniqueNumber)) != std::string::npos;)
          plain.replace(at, uniqueNumber.size(), "0");
        std::replace(plain.begin(), plain.end(), '%', '$');
        text += plain;
      }
    }
    return text;
  }

  static void report(const clang::GCCAsmStmt& statement, PtxAccess& ptx, unsigned number, Scope& scope) {
    AccessSeen access = seenIn(scope);
    const clang::Expr* operand = nullptr;
    if (ptx.reason.empty()) {
      if (ptx.operand < statement.getNumOutputs())
        ptx.reason = readChanged(statement, ptx, operand, scope.ast);
      else if (operand = inputOf(statement, ptx.operand); !operand)
        ptx.reason = "its address is not an operand";
    }
    if (operand) operand = operand->IgnoreImpCasts();
    if (operand && ptx.bytes == 0 && ptx.size.empty()) ptx.reason = readBytes(statement, ptx, scope.ast);
    if (operand && ptx.reason.empty()) {
      access.range = scope.ranges.resolve(operand->getSourceRange());
      ptx.reason = readCount(statement, ptx, access.range, access.count, scope);
      access.size = sizeText(statement, ptx, *operand, access.range, scope);
    }
    if (operand && !ptx.size.empty()) ptx.bytes = constantSize(statement, ptx.size, scope.ast);
    if (operand && ptx.reason.empty()) {
      access.site = describeSite(*operand, operand->getType(), scope);
      const Description description = describePointer(*operand, scope.ast, scope.ranges);
      access.site.base = description.base;
      access.site.index = description.index;
      if (!scope.ranges.usedOnce(operand->getBeginLoc()))
        ptx.reason = "a macro's argument that is used several times";
      else if (ptx.operand < statement.getNumOutputs() && !access.range.outermostMacro.empty())
        ptx.reason = alsoOutput;
    } else {
      access.site.function = scope.functionName();
      access.site.templateContext = scope.templateContext();
      access.site.loopDepth = scope.loopDepth();
      access.range = scope.ranges.resolveToken(statement.getAsmLoc());
    }
    access.site.expression = "asm " + ptx.instruction;
    access.site.type.clear();
    access.site.bytes = ptx.bytes;
    access.site.kind = ptx.kind;
    access.site.space = ptx.space;
    access.site.reason = ptx.reason;
    setForm(ptx, ptx.operand < statement.getNumOutputs(), access);
    access.layer = static_cast<Layer>(static_cast<unsigned>(Layer::assembly) + number);
    scope.findings.add(std::move(access));
  }

  static void setForm(const PtxAccess& ptx, bool changed, AccessSeen& access) {
    const bool shared = ptx.space == sites::Space::shared;
    if (!access.count.empty()) {
      access.form = shared ? edit::Form::CUI_ASSEMBLY_TIMES_SHARED : edit::Form::CUI_ASSEMBLY_TIMES;
      access.measures = {ptx.size.empty() ? static_cast<long>(ptx.bytes) : 1, ptx.offset};
    } else if (ptx.lanes == 0) {
      access.form = changed
                        ? shared ? edit::Form::CUI_ASSEMBLY_CHANGED_SHARED : edit::Form::CUI_ASSEMBLY_CHANGED
                    : shared ? edit::Form::CUI_ASSEMBLY_SHARED
                             : edit::Form::CUI_ASSEMBLY;
      access.measures = {static_cast<long>(ptx.bytes), ptx.offset};
    } else {
      access.form = shared ? edit::Form::CUI_ASSEMBLY_ROWS_SHARED : edit::Form::CUI_ASSEMBLY_ROWS;
      access.measures = {static_cast<long>(ptx.lanes), ptx.offset};
    }
  }

  /// An address that the assembly also writes (`ld.global.u64 %0, [%0];`): a single instruction reads it
  /// first. Gives why it cannot be wrapped, or "".
  static std::string readChanged(const clang::GCCAsmStmt& statement, const PtxAccess& ptx,
                                 const clang::Expr*& operand, const clang::ASTContext& ast) {
    const std::string text = textOfAssembly(statement, ast);
    const std::size_t end = text.find(';');
    const bool single = end == text.npos || text.find_first_not_of(" \t\n;", end) == text.npos;
    if (!single || !statement.isOutputPlusConstraint(ptx.operand) || !ptx.condition.empty() ||
        !ptx.size.empty() || ptx.lanes != 0)
      return alsoOutput;
    operand = statement.getOutputExpr(ptx.operand);
    return "";
  }

  /// Null for outputs and what is no operand.
  static const clang::Expr* inputOf(const clang::GCCAsmStmt& statement, unsigned operand) {
    const unsigned outputs = statement.getNumOutputs();
    return operand >= outputs && operand < outputs + statement.getNumInputs()
               ? statement.getInputExpr(operand - outputs)
               : nullptr;
  }

  /// What a counted form counts with: the predicate, the size of a block, both; "" for neither. Gives why
  /// that is not known, or "". `address`: where it will stand.
  static std::string readCount(const clang::GCCAsmStmt& statement, const PtxAccess& ptx,
                               const Resolved& address, std::string& count, const Scope& scope) {
    if (ptx.condition.empty() && ptx.size.empty()) return "";
    std::string condition, size;
    std::string reason =
        spell(statement, ptx.condition, "its predicate is no plain value", address, condition, scope);
    if (reason.empty())
      reason = spell(statement, ptx.size, "its size is no plain value", address, size, scope);
    if (!reason.empty()) return reason;
    count = size.empty() ? condition : condition.empty() ? size : condition + " ? " + size + " : 0";
    return "";
  }

  /// `text` with what the source has for each `%4`. Gives why that is not to be read a second time
  /// (`notPlain`), or cannot be said where the address stands; or "".
  static std::string spell(const clang::GCCAsmStmt& statement, std::string_view text, const char* notPlain,
                           const Resolved& address, std::string& spelled, const Scope& scope) {
    for (std::size_t i = 0; i < text.size();) {
      if (text[i] != '%') {
        spelled += text[i++];
        continue;
      }
      unsigned operand = 0;
      const auto [end, error] = std::from_chars(text.data() + i + 1, text.data() + text.size(), operand);
      i = static_cast<std::size_t>(end - text.data());
      const clang::Expr* value = error == std::errc() ? inputOf(statement, operand) : nullptr;
      if (!value || !isPlainValue(*value)) return notPlain;
      const std::string written = writtenAt(*value, address, scope);
      if (copyable(written).empty()) return statement.getAsmLoc().isMacroID() ? countInMacro : notPlain;
      spelled += written;
    }
    return "";
  }

  /// The same text, or "" if it cannot stand a second time on its line.
  static std::string copyable(std::string text) {
    return text.find_first_of("\n\"'#\\") == text.npos && text.find("/*") == text.npos ? text : "";
  }

  /// The value in words that mean the same where the address stands; "" if there are none.
  static std::string writtenAt(const clang::Expr& value, const Resolved& address, const Scope& scope) {
    const Ranges& ranges = scope.ranges;
    if (address.macro) {
      const Resolved there = ranges.resolveBeside(value.getSourceRange(), address);
      if (!there.reason.empty()) return "";
      return ranges.sources().file(there.span.file).text.slice(there.span.begin, there.span.end).str();
    }
    std::string written = ranges.text(value.getSourceRange());
    if (written.empty() && isKnownInFront(value, ranges.manager()))
      written = ranges.spelledOut(value.getSourceRange());
    return written;
  }

  /// Whether all variables that it names are known where the macro is used, which may have some of its own.
  static bool isKnownInFront(const clang::Stmt& value, const clang::SourceManager& manager) {
    if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&value))
      return !manager.isBeforeInTranslationUnit(manager.getExpansionLoc(value.getBeginLoc()),
                                                manager.getExpansionLoc(name->getDecl()->getEndLoc())) &&
             manager.getExpansionLoc(value.getBeginLoc()) !=
                 manager.getExpansionLoc(name->getDecl()->getLocation());
    return llvm::all_of(value.children(),
                        [&](const clang::Stmt* child) { return !child || isKnownInFront(*child, manager); });
  }

  /// What says in each instantiation, and in each use of a macro, how many bytes they are: the operand that
  /// gives the size, or the type that the address points to; "" if nothing does.
  static std::string sizeText(const clang::GCCAsmStmt& statement, const PtxAccess& ptx,
                              const clang::Expr& operand, const Resolved& address, const Scope& scope) {
    if (ptx.lanes != 0 || !ptx.size.empty()) return "";
    if (const clang::Expr* size = ptx.sizeIsOperand ? inputOf(statement, ptx.bytesOperand) : nullptr)
      return copyable(writtenAt(*size, address, scope));
    const clang::QualType pointee = operand.getType()->getPointeeType();
    if (pointee.isNull() || pointee->isDependentType() || pointee->isVoidType() ||
        pointee->isIncompleteType() || !pointee->isObjectType() ||
        scope.ast.getTypeSizeInChars(pointee).getQuantity() != ptx.bytes)
      return "";
    const std::string written = copyable(writtenAt(operand, address, scope));
    return written.empty() ? "" : "sizeof(*(" + written + "))";
  }

  /// Of a block, for the tables: 0 if only the running program knows.
  static unsigned constantSize(const clang::GCCAsmStmt& statement, std::string_view size,
                               const clang::ASTContext& ast) {
    unsigned number = 0;
    const bool isOperand = size.front() == '%';
    std::from_chars(size.data() + (isOperand ? 1 : 0), size.data() + size.size(), number);
    if (!isOperand) return number;
    const clang::Expr* value = inputOf(statement, number);
    clang::Expr::EvalResult result;
    if (!value || value->isValueDependent() || !value->EvaluateAsInt(result, ast)) return 0;
    return static_cast<unsigned>(result.Val.getInt().getZExtValue());
  }

  /// The size that an "n" operand gives; why it is not known, or "".
  static std::string readBytes(const clang::GCCAsmStmt& statement, PtxAccess& ptx,
                               const clang::ASTContext& ast) {
    const clang::Expr* size = inputOf(statement, ptx.bytesOperand);
    if (!size) return "its size is not understood";
    clang::Expr::EvalResult value;
    if (size->isValueDependent()) return "";  // the pattern; its instantiations say
    if (!size->EvaluateAsInt(value, ast)) return "its size is not a constant";
    ptx.bytes = static_cast<unsigned>(value.Val.getInt().getZExtValue());
    return "";
  }
};

}  // namespace

std::unique_ptr<Construct> makeAssembly() {
  return std::make_unique<Assembly>();
}

}  // namespace cui::constructs
