#include "constructs/describe.h"

#include <llvm/Support/raw_ostream.h>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include "sites/table.h"

namespace cui::constructs {
namespace {

using clang::Expr;

void addIndex(Description& description, const std::string& index) {
  if (!description.index.empty()) description.index += ", ";
  description.index += index;
}

std::string nameOf(const clang::MemberExpr& member) {
  return member.getMemberDecl()->getDeclName() ? member.getMemberDecl()->getNameAsString() : std::string();
}

}  // namespace

std::string textOf(const Expr& expr, const clang::ASTContext& ast, const Ranges& ranges) {
  std::string text = ranges.text(expr.getSourceRange());
  if (text.empty()) {
    llvm::raw_string_ostream out(text);
    expr.printPretty(out, nullptr, ast.getPrintingPolicy());
  }
  return sites::normalise(text);
}

Description describePointer(const Expr& pointer, const clang::ASTContext& ast, const Ranges& ranges) {
  const Expr* expr = pointer.IgnoreParens();
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(expr)) {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      return describe(*cast->getSubExpr(), ast, ranges);
    return describePointer(*cast->getSubExpr(), ast, ranges);
  }
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(expr); binary && binary->isAdditiveOp()) {
    const bool left = !binary->getLHS()->getType()->isIntegerType();
    Description result = describePointer(left ? *binary->getLHS() : *binary->getRHS(), ast, ranges);
    const std::string offset = textOf(left ? *binary->getRHS() : *binary->getLHS(), ast, ranges);
    addIndex(result, binary->getOpcode() == clang::BO_Sub ? "-(" + offset + ")" : offset);
    return result;
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(expr)) {
    if (unary->getOpcode() == clang::UO_AddrOf) return describe(*unary->getSubExpr(), ast, ranges);
    if (unary->isIncrementDecrementOp()) return describePointer(*unary->getSubExpr(), ast, ranges);
  }
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(expr))
    if (member->isArrow() && clang::isa<clang::CXXThisExpr>(member->getBase()->IgnoreImpCasts()))
      return {"this->" + nameOf(*member), ""};
  return {textOf(*expr, ast, ranges), ""};
}

Description describe(const Expr& glvalue, const clang::ASTContext& ast, const Ranges& ranges) {
  const Expr* expr = glvalue.IgnoreParens();
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(expr))
    return describe(*cast->getSubExpr(), ast, ranges);
  if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    Description result = describePointer(*subscript->getBase(), ast, ranges);
    addIndex(result, textOf(*subscript->getIdx(), ast, ranges));
    return result;
  }
  if (const auto* call = clang::dyn_cast<clang::CXXOperatorCallExpr>(expr);
      call && call->getNumArgs() == 2 && call->getOperator() == clang::OO_Subscript) {
    Description result = describe(*call->getArg(0), ast, ranges);
    addIndex(result, textOf(*call->getArg(1), ast, ranges));
    return result;
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(expr);
      unary && unary->getOpcode() == clang::UO_Deref)
    return describePointer(*unary->getSubExpr(), ast, ranges);
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(expr); binary && binary->isPtrMemOp())
    return binary->getOpcode() == clang::BO_PtrMemI ? describePointer(*binary->getLHS(), ast, ranges)
                                                    : describe(*binary->getLHS(), ast, ranges);
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(expr)) {
    if (!member->isArrow()) return describe(*member->getBase(), ast, ranges);
    if (clang::isa<clang::CXXThisExpr>(member->getBase()->IgnoreImpCasts()))
      return {"this->" + nameOf(*member), ""};
    return describePointer(*member->getBase(), ast, ranges);
  }
  return {textOf(*expr, ast, ranges), ""};
}

}  // namespace cui::constructs
