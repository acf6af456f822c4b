// Lines for several architectures. The text is read for the last one; what only another one's code has (`#if
// __CUDA_ARCH__ < 900`) is found by reading it for that one, too, and is edited as the rest.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "constructs/findings.h"
#include "constructs/preprocessing.h"
#include "constructs/sources.h"

namespace cui::driver {

class OtherArchitectures {
 public:
  /// All are those of the parse for the last architecture, and outlive this.
  OtherArchitectures(constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                     clang::SourceManager& manager);

  /// False where no file of the program's asks for the architecture: all have the same text.
  bool mayDiffer() const { return mayDiffer_; }
  /// Whether a place of another parse lies in text that the one for the last architecture left out.
  bool isOnlyThere(constructs::Span place, const constructs::Sources& from) const {
    return move(place, from);
  }
  /// Takes what lies in text that the parse for the last architecture left out, and in headers that only such
  /// text includes; the rest it has found itself.
  void add(constructs::Findings& findings, const constructs::Preprocessing& preprocessing,
           constructs::Sources& sources);
  /// Barriers and variables.
  void giveTo(constructs::Findings& findings);
  /// Accesses in the order of their text, with those that are there.
  void giveTo(std::vector<constructs::AccessFound>& accesses);

 private:
  void addInclude(const constructs::Include& include, const clang::SourceManager& manager,
                  constructs::Sources& from);
  bool move(constructs::Span& span, const constructs::Sources& from) const;
  bool move(constructs::Resolved& range, const constructs::Sources& from) const;
  void addAccess(constructs::AccessFound found, const constructs::Sources& from);
  bool addInMacro(const constructs::AccessFound& found, const constructs::Preprocessing& preprocessing,
                  constructs::Sources& from);
  bool isExpanded(const constructs::Span& text) const;
  constructs::Span textOf(const clang::MacroInfo& macro, constructs::Sources& from) const;
  void giveInMacros(std::vector<constructs::AccessFound>& accesses);
  void addVariable(constructs::VariableFound variable, const constructs::Sources& from);

  constructs::Preprocessing& preprocessing_;
  constructs::Sources& sources_;
  clang::SourceManager& manager_;
  bool mayDiffer_ = false;
  std::map<std::string, constructs::FileIndex> files_;  ///< with such text, by absolute path
  std::map<constructs::FileIndex, std::vector<std::pair<unsigned, unsigned>>> skipped_;
  std::vector<constructs::AccessFound> accesses_;
  /// In macros' texts, with where the definition begins.
  std::vector<std::pair<constructs::AccessFound, constructs::Span>> inMacros_;
  /// How many parses use the macro that is defined there, and have found the access in its text.
  std::map<constructs::Span, unsigned> expanded_;
  std::map<std::pair<constructs::Span, constructs::Layer>, unsigned> found_;
  std::vector<constructs::BarrierFound> barriers_;
  std::vector<constructs::VariableFound> variables_;
};

}  // namespace cui::driver
