// Inline assembly: its memory instructions are read from the text, and the operands that hold their addresses
// are wrapped. What cannot be is a site that says why.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/ptx.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

class Assembly : public Construct {
  void onDeviceStatement(const clang::Stmt& stmt, Scope& scope) const override {
    const auto* statement = clang::dyn_cast<clang::GCCAsmStmt>(&stmt);
    if (!statement) return;
    unsigned number = 0;
    for (PtxAccess& one : memoryInstructions(textOfAssembly(*statement, scope.ast)))
      report(*statement, one, number++, scope);
  }

  /// Operands as `%3`, also those that are named; registers of the assembly's own as `$r`.
  static std::string textOfAssembly(const clang::GCCAsmStmt& statement, const clang::ASTContext& ast) {
    llvm::SmallVector<clang::GCCAsmStmt::AsmStringPiece, 8> pieces;
    unsigned ignored = 0;
    std::string text;
    if (statement.AnalyzeAsmString(pieces, ast, ignored) != 0) return text;
    for (const auto& piece : pieces) {
      if (piece.isOperand()) {
        text += "%" + std::to_string(piece.getOperandNo());
      } else {
        std::string plain = piece.getString();
        std::replace(plain.begin(), plain.end(), '%', '$');
        text += plain;
      }
    }
    return text;
  }

  static void report(const clang::GCCAsmStmt& statement, PtxAccess& ptx, unsigned number, Scope& scope) {
    AccessSeen access;
    const clang::Expr* operand = nullptr;
    const unsigned outputs = statement.getNumOutputs();
    if (ptx.reason.empty()) {
      if (ptx.operand < outputs)
        ptx.reason = "its address is also an output";
      else if (ptx.operand >= outputs + statement.getNumInputs())
        ptx.reason = "its address is not an operand";
      else
        operand = statement.getInputExpr(ptx.operand - outputs);
    }
    if (operand && ptx.bytes == 0) ptx.reason = readBytes(statement, ptx, scope.ast);
    if (operand && ptx.reason.empty()) {
      operand = operand->IgnoreImpCasts();
      access.site = describeSite(*operand, operand->getType(), scope);
      const Description description = describePointer(*operand, scope.ast, scope.ranges);
      access.site.base = description.base;
      access.site.index = description.index;
      access.range = scope.ranges.resolve(operand->getSourceRange());
      if (!scope.ranges.usedOnce(operand->getBeginLoc()))
        ptx.reason = "a macro's argument that is used several times";
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
    const bool shared = ptx.space == sites::Space::shared;
    if (ptx.lanes == 0) {
      access.form = shared ? edit::Form::CUI_ASSEMBLY_SHARED : edit::Form::CUI_ASSEMBLY;
      access.measures = {static_cast<long>(ptx.bytes), ptx.offset};
    } else {
      access.form = shared ? edit::Form::CUI_ASSEMBLY_ROWS_SHARED : edit::Form::CUI_ASSEMBLY_ROWS;
      access.measures = {static_cast<long>(ptx.lanes), ptx.offset};
    }
    access.layer = static_cast<Layer>(static_cast<unsigned>(Layer::assembly) + number);
    access.body = scope.body();
    access.dependent = scope.dependent();
    access.instantiated = scope.instantiated();
    scope.findings.add(std::move(access));
  }

  /// The size that an "n" operand gives; why it is not known, or "".
  static std::string readBytes(const clang::GCCAsmStmt& statement, PtxAccess& ptx,
                               const clang::ASTContext& ast) {
    const unsigned outputs = statement.getNumOutputs();
    if (ptx.bytesOperand < outputs || ptx.bytesOperand >= outputs + statement.getNumInputs())
      return "its size is not understood";
    const clang::Expr* size = statement.getInputExpr(ptx.bytesOperand - outputs);
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
