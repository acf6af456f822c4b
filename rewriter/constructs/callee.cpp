#include "constructs/callee.h"

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringExtras.h>

#include <unordered_set>

#include "constructs/use.h"

namespace cui::constructs {
namespace {

/// `cuMemcpyHtoD_v2_ptds` is cuMemcpyHtoD to its callers.
std::string documentedName(llvm::StringRef name) {
  if (!name.starts_with("cu")) return name.str();
  for (const llvm::StringRef suffix : {"_ptsz", "_ptds"}) name.consume_back(suffix);
  if (name.size() > 3 && name[name.size() - 3] == '_' && name[name.size() - 2] == 'v' &&
      llvm::isDigit(name.back()))
    name = name.drop_back(3);
  return name.str();
}

template <class Name>
std::optional<Callee> calleeOf(const Name& name) {
  const clang::IdentifierInfo* identifier = name.getNameInfo().getName().getAsIdentifierInfo();
  if (!identifier) return std::nullopt;
  Callee result{documentedName(identifier->getName()), name.getNameInfo().getLoc()};
  if (const clang::NestedNameSpecifierLoc qualifier = name.getQualifierLoc(); qualifier.hasQualifier()) {
    result.global = qualifier.getBeginLoc() == qualifier.getEndLoc();
    result.decorated = !result.global;
  }
  return result;
}

}  // namespace

std::optional<Callee> namedCallee(const clang::CallExpr& call, const clang::SourceManager& manager) {
  const clang::Expr* callee = call.getCallee()->IgnoreParenImpCasts();
  if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(callee)) {
    const auto* function = clang::dyn_cast<clang::FunctionDecl>(name->getDecl());
    if (!function) return std::nullopt;
    std::optional<Callee> result = calleeOf(*name);
    if (result && isUsersOwn(*function, manager)) result->whose = Callee::Whose::program;
    return result;
  }
  const auto* unresolved = clang::dyn_cast<clang::UnresolvedLookupExpr>(callee);
  std::optional<Callee> result = unresolved ? calleeOf(*unresolved) : std::nullopt;
  if (result) result->whose = Callee::Whose::unknown;
  return result;
}

bool isRuntimeFunction(std::string_view name) {
  static const std::unordered_set<std::string_view> names{
#define CUI_API_FUNCTION(name, category) #name,
#include "cuinstrument/device/api.def"
#undef CUI_API_FUNCTION
  };
  return names.count(name) != 0;
}

}  // namespace cui::constructs
