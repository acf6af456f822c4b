#include "driver/concept_sides.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/Sema/TemplateInstCallback.h>

#include <memory>
#include <vector>

namespace cui::driver {
namespace {

using Instantiation = clang::Sema::CodeSynthesisContext;

bool asks(const Instantiation& what) {
  return what.Kind == Instantiation::ConstraintSubstitution ||
         what.Kind == Instantiation::RequirementInstantiation;
}

/// What holds the function that `context` is in: its class, which may see private members, too.
clang::DeclContext* outside(clang::DeclContext* context) {
  clang::DeclContext* inner = context;
  while (llvm::isa<clang::RequiresExprBodyDecl>(inner)) inner = inner->getParent();
  return llvm::isa<clang::FunctionDecl>(inner) ? inner->getParent() : context;
}

/// Begins and ends are nested, as are the changes of context that Clang makes in between.
class Asked : public clang::TemplateInstantiationCallback {
 public:
  explicit Asked(clang::Sema& sema) : sema_(sema) {}

  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  void atTemplateBegin(const clang::Sema&, const Instantiation& what) override {
    if (!asks(what)) return;
    left_.push_back(sema_.CurContext);
    sema_.CurContext = outside(sema_.CurContext);
  }
  void atTemplateEnd(const clang::Sema&, const Instantiation& what) override {
    if (!asks(what) || left_.empty()) return;
    sema_.CurContext = left_.back();
    left_.pop_back();
  }

 private:
  clang::Sema& sema_;
  std::vector<clang::DeclContext*> left_;
};

}  // namespace

void askOutsideFunctions(clang::Sema& sema) {
  sema.TemplateInstCallbacks.push_back(std::make_unique<Asked>(sema));
}

}  // namespace cui::driver
