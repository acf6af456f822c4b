// Clang's errors, of which few concern the user: nvcc has the last word on what is CUDA.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Sema/Sema.h>

#include <set>
#include <vector>

#include "constructs/clang_version.h"
#include "constructs/unparsed.h"
#include "driver/other_words.h"
#include "driver/preferred_operators.h"
#include "driver/template_words.h"

namespace cui::driver {

class Diagnostics : private compat::DiagnosticOptionsHolder, public clang::TextDiagnosticPrinter {
 public:
  /// tolerant: errors are kept instead of printed, until one after which nothing more is parsed.
  /// An error for which the source can be parsed again in another way is kept, too: of which kinds, `again`
  /// says.
  enum class Again { never, otherSides, otherSidesOrWords };
  Diagnostics(llvm::raw_ostream& out, bool tolerant, Again again)
      : TextDiagnosticPrinter(out, get()), tolerant_(tolerant), kinds_(again) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;
  /// Whose errors they are. `sema` must live as long as they come.
  void listenTo(const clang::Sema& sema) { sema_ = &sema; }
  /// Has functions that are understood, but for something in them that is no literal, taken for valid. To be
  /// called when Clang has said all of what it has read.
  void forgiveNoLiterals();
  /// There was an error that cannot be lived with. It has been printed.
  bool refused() const { return refused_; }
  /// Those that can. nvcc is known to accept some of them, which are left out here.
  const std::vector<constructs::SourceError>& errors() const { return errors_; }
  /// The tree has all of the program's code, but for what the errors are about.
  bool complete() const { return !refused_ && !lostCode_; }
  /// Those for which another word may help. The objects are left out of the errors, too.
  const RejectedDeclarations& rejected() const { return rejected_; }
  /// Where words may be missing.
  const Complaints& complaints() const { return complaints_; }
  /// Where Clang does not know a name.
  const std::set<clang::SourceLocation>& unknownNames() const { return unknownNames_; }
  /// Where it knows none that could be called.
  const std::set<clang::SourceLocation>& withoutCandidates() const { return withoutCandidates_; }
  /// Those that are the program's, of operators that Clang cannot choose between.
  const std::vector<PreferredOperator>& preferredOperators() const { return preferred_; }
  /// Left out as well: `alignas` where Clang expects no attribute and forgets it, as may be `[[…]]`.
  const std::set<clang::SourceLocation>& droppedAttributes() const { return droppedAttributes_; }
  /// Among the errors is a declaration that is `static` and something else.
  bool storageClash() const { return storageClash_; }
  /// Among them is a definition of `warpSize`, which nvcc only declares.
  bool definesWarpSize() const { return definesWarpSize_; }
  /// Among them is a parameter that is `auto`, before C++20.
  bool hasAutoParameters() const { return hasAutoParameters_; }
  /// Among them is one that has to do with Clang's own types of `threadIdx` and its kin.
  bool wantsIndexVectors() const { return wantsIndexVectors_; }

 private:
  enum class Notes { print, keep, keepPrevious, keepInstantiation, drop };

  bool tolerant_;
  Again kinds_;
  bool refused_ = false;
  bool lostCode_ = false;  ///< among the errors that are left out is one for which code is not in the tree
  bool storageClash_ = false;
  bool definesWarpSize_ = false;
  bool hasAutoParameters_ = false;
  bool wantsIndexVectors_ = false;
  bool again_ = false;  ///< there was an error for which the source is parsed again
  RejectedDeclarations rejected_;
  std::set<clang::SourceLocation> droppedAttributes_;
  Complaints complaints_;
  std::set<clang::SourceLocation> unknownNames_, withoutCandidates_;
  std::vector<clang::QualType> operands_;  ///< of an operator that Clang cannot choose
  std::vector<PreferredOperator> preferred_;
  const clang::Sema* sema_ = nullptr;
  std::vector<clang::FunctionDecl*> noLiterals_;
  Notes notes_ = Notes::print;  ///< what becomes of the notes that follow an error
  std::vector<constructs::SourceError> errors_;
};

}  // namespace cui::driver
