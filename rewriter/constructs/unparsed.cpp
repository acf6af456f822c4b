#include "constructs/unparsed.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <clang/Basic/CharInfo.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "constructs/of_library.h"
#include "constructs/scope.h"
#include "constructs/visitor.h"

namespace cui::constructs {
namespace {

constexpr char leftReason[] = "nvcc rejects its function's instrumented form";

/// A function, a lambda or a statement, as written.
struct Region {
  Span span;
  std::string function;
  bool device = false;
  bool statement = false;
  bool pattern = false;  ///< a template's
  unsigned entry = 0;    ///< of a kernel: behind the brace, where its entry mark goes
};

bool isDeviceCode(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDADeviceAttr>() || function.hasAttr<clang::CUDAGlobalAttr>();
}

/// Whether text of host code may hold what is instrumented there: launches, runtime calls, containers, or a
/// macro, which may stand for all of these.
bool mayConcernDevice(const Span& span, const Sources& sources, const Preprocessing& preprocessing) {
  const llvm::StringRef text = sources.file(span.file).text.slice(span.begin, span.end);
  std::string dense = text.str();
  llvm::erase_if(dense, [](char c) { return clang::isWhitespace(c); });
  if (text.contains("__device__") || dense.find("<<<") != std::string::npos) return true;
  std::set<llvm::StringRef> macros;
  for (const auto& [macro, name] : preprocessing.names)
    if (macro->getNumTokens() > 0) macros.insert(name);
  const auto inName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    const llvm::StringRef name = text.substr(at).take_while(inName);
    if (name.starts_with("cu") || name == "thrust" || name == "rmm" || macros.count(name) > 0) return true;
    at += name.size() + 1;
  }
  return false;
}

/// What of the user's can be left alone by itself, and the expressions in device code that Clang gave up on.
class Inventory : public Visitor {
 public:
  /// `regions` of a large unit take long to place: only where something is to be left alone.
  Inventory(const Ranges& ranges, bool withRegions) : ranges_(ranges), withRegions_(withRegions) {}

  std::vector<Region> regions;
  std::vector<Span> variables;  ///< outside functions, with their initialisers
  std::vector<std::pair<const clang::RecoveryExpr*, std::string>> recovered;  ///< with its function's name

  bool seesInstantiations() const override { return true; }

  bool onDeclaration(clang::Decl& declaration) override {
    if (isOfLibrary(declaration, ranges_.manager())) return true;
    const auto* function = clang::dyn_cast<clang::FunctionDecl>(&declaration);
    if (!function || !function->doesThisDeclarationHaveABody()) return inside(declaration);
    add(function->getSourceRange(), *function, false);
    const clang::FunctionDecl* outer = std::exchange(function_, function);
    const bool result = inside(declaration);
    function_ = outer;
    return result;
  }

  bool onVariable(clang::VarDecl& variable) override {
    if (!withRegions_ || !variable.isFileVarDecl()) return true;
    const Resolved resolved = ranges_.resolve(variable.getSourceRange());
    if (resolved.located && ranges_.sources().file(resolved.use.file).user) variables.push_back(resolved.use);
    return true;
  }

  /// What a block or a control statement consists of, its condition, too.
  bool onStatement(clang::Stmt& stmt) override {
    if (const auto* lambda = clang::dyn_cast<clang::LambdaExpr>(&stmt))
      add(lambda->getSourceRange(), *lambda->getCallOperator(), false);
    if (!function_ || !clang::isa<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt,
                                  clang::DoStmt, clang::CXXForRangeStmt, clang::SwitchCase>(stmt))
      return true;
    for (const clang::Stmt* part : stmt.children())
      if (part && !clang::isa<clang::CompoundStmt>(part)) add(part->getSourceRange(), *function_, true);
    return true;
  }

  bool enters(clang::Stmt& stmt) override {
    const auto* expr = clang::dyn_cast<clang::RecoveryExpr>(&stmt);
    if (expr && function_ && isDeviceCode(*function_))
      recovered.emplace_back(expr, qualifiedName(*function_));
    return !expr;
  }

  const Region* innermost(const Span& place, bool statements) const {
    const Region* best = nullptr;
    for (const Region& region : regions) {
      if (region.span.file != place.file || place.begin < region.span.begin || place.begin >= region.span.end)
        continue;
      if (region.statement && !statements) continue;
      if (!best || region.span.end - region.span.begin < best->span.end - best->span.begin) best = &region;
    }
    return best;
  }

  /// In the initialiser of a variable outside functions: no device makes an access there.
  bool initialises(const Span& place, const Sources& sources, const Preprocessing& preprocessing) const {
    return llvm::any_of(variables, [&](const Span& one) {
      return one.file == place.file && one.begin < place.begin && place.begin < one.end &&
             !mayConcernDevice({one.file, place.begin, one.end}, sources, preprocessing);
    });
  }

  /// In a function of a template that nothing instantiates: neither compiler makes code of it.
  bool neverInstantiated(const Span& place) const {
    const Region* function = innermost(place, false);
    return function && llvm::all_of(regions, [&](const Region& one) {
             return one.statement || one.span != function->span || one.pattern;
           });
  }

 private:
  void add(clang::SourceRange range, const clang::FunctionDecl& function, bool statement) {
    if (!withRegions_) return;
    // No edit needs to fit it: only its place matters.
    const Resolved resolved = ranges_.resolve(range);
    if (!resolved.located || !ranges_.sources().file(resolved.use.file).user) return;
    Region region{resolved.use, qualifiedName(function), isDeviceCode(function), statement};
    region.pattern = function.isDependentContext();
    const auto* body = clang::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
    if (body && !statement && function.hasAttr<clang::CUDAGlobalAttr>()) {
      const Resolved brace = ranges_.resolveToken(body->getLBracLoc());
      if (brace.reason.empty() && !brace.macro && brace.span.file == region.span.file)
        region.entry = brace.span.end;
    }
    regions.push_back(std::move(region));
  }

  const Ranges& ranges_;
  bool withRegions_;
  const clang::FunctionDecl* function_ = nullptr;
};

/// Leaves it alone for what is wrong at `place`. A kernel keeps its entry mark, which its launches are known
/// by, for what it calls may record.
void exclude(const Region& region, const Span& place, const std::string& reason, Sources& sources) {
  const bool marked = region.entry != 0 && place.begin >= region.entry;
  sources.exclude(region.span.file, marked ? region.entry : region.span.begin, region.span.end, reason);
}

std::string lineAround(llvm::StringRef text, unsigned offset) {
  const std::size_t begin = text.rfind('\n', offset) + 1;  // npos + 1 is 0
  return sites::normalise(text.slice(begin, text.find('\n', offset)).str());
}

/// Where the user's text is to blame: at the error, at what its notes point to, or at the #include.
struct Blamed {
  Span place;
  bool included = false;  ///< nothing else of the user's is: a system header is wrong by itself
};

Blamed blamed(const SourceError& error, const Ranges& ranges) {
  std::vector<clang::SourceLocation> candidates{error.location};
  candidates.insert(candidates.end(), error.notes.begin(), error.notes.end());
  const std::size_t directives = candidates.size();
  const clang::SourceManager& manager = ranges.manager();
  for (clang::SourceLocation up = error.location; up.isValid();)
    candidates.push_back(up = manager.getIncludeLoc(manager.getFileID(manager.getExpansionLoc(up))));
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].isInvalid()) continue;
    const auto [id, offset] = manager.getDecomposedLoc(manager.getExpansionLoc(candidates[i]));
    FileIndex file = 0;
    if (ranges.sources().find(id, file) && ranges.sources().file(file).user)
      return {{file, offset, offset + 1}, i >= directives};
  }
  FileIndex mainFile = 0;
  ranges.sources().find(manager.getMainFileID(), mainFile);
  return {{mainFile, 0, 0}};
}

void addSite(const Span& place, const std::string& function, std::string expression, std::string reason,
             Findings& findings) {
  AccessSeen seen;
  seen.range.span = seen.range.use = place;
  seen.range.located = true;
  seen.range.reason = std::move(reason);
  seen.site.function = function;
  seen.site.expression = std::move(expression);
  findings.add(std::move(seen));
}

/// `file:line`, as a compiler names it.
std::vector<Span> placesOf(const std::vector<std::string>& lines, const Sources& sources) {
  std::vector<Span> places;
  for (const std::string& line : lines) {
    const std::size_t colon = line.rfind(':');
    const unsigned number = static_cast<unsigned>(std::strtoul(line.c_str() + colon + 1, nullptr, 10));
    for (FileIndex file = 0; colon != std::string::npos && file < sources.size(); ++file)
      if (sources.file(file).path == line.substr(0, colon))
        places.push_back({file, sources.offset(file, number), sources.offset(file, number + 1)});
  }
  return places;
}

}  // namespace

std::vector<Unparsed> leaveUnparsed(clang::ASTContext& ast, const std::vector<SourceError>& errors,
                                    const Ranges& ranges, Findings& findings, bool& lostCode) {
  std::vector<Unparsed> result;
  Inventory inventory(ranges, !errors.empty());
  inventory.traverse(*ast.getTranslationUnitDecl());
  Sources& sources = ranges.sources();
  for (const SourceError& error : errors) {
    const auto [place, included] = blamed(error, ranges);
    const Region* region = inventory.innermost(place, !error.syntax);
    if (!region && !error.syntax && inventory.initialises(place, sources, ranges.preprocessing())) {
      lostCode = true;
      continue;
    }
    Unparsed left{place, "", false, error.message};
    // What of the user's needs it is an error of its own.
    left.harmless = included;
    if (region) {
      left.function = region->function;
      left.statement = region->statement;
      left.harmless = (!error.instantiated && inventory.neverInstantiated(place)) ||
                      (!region->device && !mayConcernDevice(region->span, sources, ranges.preprocessing()));
      exclude(
          *region, place,
          std::string("Clang rejects its ") + (left.statement ? "statement: " : "function: ") + error.message,
          sources);
    }
    lostCode |= !region || !left.harmless || error.syntax;
    if (std::find(result.begin(), result.end(), left) != result.end()) continue;  // of another instantiation
    addSite(place, left.function, lineAround(sources.file(place.file).text, place.begin),
            "Clang rejects it: " + error.message, findings);
    result.push_back(std::move(left));
  }
  for (const auto& [expr, name] : inventory.recovered) {
    const Resolved range = ranges.resolve(expr->getSourceRange());
    if (range.located && sources.file(range.use.file).user &&
        sources.whyExcluded(range.use.file, range.use.begin, range.use.end).empty())
      addSite(range.use, name, lineAround(sources.file(range.use.file).text, range.use.begin),
              "Clang cannot tell what it is", findings);
  }
  return result;
}

void leaveFunctions(clang::ASTContext& ast, const std::vector<std::string>& lines, const Ranges& ranges) {
  if (lines.empty()) return;
  Inventory inventory(ranges, true);
  inventory.traverse(*ast.getTranslationUnitDecl());
  Sources& sources = ranges.sources();
  for (const Span& place : placesOf(lines, sources)) {
    for (const Region& region : inventory.regions) {
      const bool touches =
          region.span.file == place.file && region.span.begin < place.end && place.begin < region.span.end;
      if (!touches || region.statement) continue;
      const Span at{place.file, std::max(place.begin, region.span.begin), 0};
      if (const Region* inner = inventory.innermost(at, false)) exclude(*inner, at, leftReason, sources);
    }
    sources.exclude(place.file, place.begin, place.end, leftReason);
  }
}

void leaveLines(const std::vector<std::string>& lines, Sources& sources) {
  for (const Span& place : placesOf(lines, sources))
    sources.exclude(place.file, place.begin, place.end, "nvcc rejects its line's instrumented form");
}

}  // namespace cui::constructs
