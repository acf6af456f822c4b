// The model of one translation unit's tables (devlib's format/unit.h with owned strings), and their
// spelling as C++ (preamble and epilogue of the rewritten file) and as JSON.
//
// Entries are added in any order; finalize() orders them by file and offset, numbers them and gives sites
// their stable ids. Numbers are asked for by handle afterwards, when the edits are spelled.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "cuinstrument/format/unit.h"

namespace cui::sites {

using format::Kind;
using format::Space;
using format::Status;

struct File {
  std::string path;          ///< as the user named it
  std::string absolutePath;  ///< resolved; the identity of the file
  std::uint64_t textHash = 0;
};

/// Where an entry is. Lines and columns are 1-based; `file` is what addFile() returned.
struct Place {
  std::uint32_t file = 0;
  std::size_t offset = 0;  ///< bytes; orders entries, never printed
  std::uint32_t line = 0, column = 0;
};

struct Site {
  Place place;
  std::uint32_t endLine = 0, endColumn = 0;
  Kind kind = Kind::load;
  Space space = Space::generic;
  Status status = Status::instrumented;
  std::uint32_t bytes = 0;
  std::uint32_t loopDepth = 0;
  std::string function, expression, base, index, type, macro, templateContext, reason;
  std::uint64_t id = 0;  ///< set by finalize()
};

struct Kernel {
  Place place;
  std::string name;
};

struct Launch {
  Place place;
  std::string kernel, kernelBase, function;
  bool hasStream = false;
};

struct Call {
  Place place;
  std::string api, function, variable, type;
  std::uint32_t elementBytes = 0;
};

struct Variable {
  Place place;
  std::string name, function, type, elementType;
  std::uint32_t elementBytes = 0;
  std::uint64_t bytes = 0;
  Space space = Space::shared;
  bool dynamic = false;
  std::string global;  ///< `::ns::table`: how the epilogue names it; "" if it cannot or need not
};

// A handle is good for the table that gave it, before and after finalize().
enum class SiteHandle : std::uint32_t {};
/// In place of a number: no access. The text says CUI_NO_SITE.
inline constexpr std::uint32_t noSite = 0xffffffff;
enum class KernelHandle : std::uint32_t {};
enum class LaunchHandle : std::uint32_t {};
enum class CallHandle : std::uint32_t {};
enum class VariableHandle : std::uint32_t {};

/// FNV-1a 64 of a file's bytes (format::FileEntry::textHash).
std::uint64_t textHash(std::string_view text);
/// Source text on one line: comments dropped, runs of white space made one blank.
std::string normalise(std::string_view source);
/// The stable id: positive as int64, never 0. See docs/instrumented-source.md, "Stable ids".
std::uint64_t stableId(std::string_view function, std::string_view expression, Kind kind,
                       std::uint32_t ordinal);

/// A row of format/site_rows.h; `before` is the site in front of it, null for the first.
std::string siteRow(const Site& site, const Site* before);

class Table {
 public:
  void setRewriterVersion(std::string version);
  /// Gives the file's number; the same absolutePath gives the same number. The first one is the main file.
  std::uint32_t addFile(File file);

  SiteHandle add(Site site);
  /// One expansion of an access in a macro's body. `definition` is what add() gave for the access itself,
  /// placed in the #define, and what CUI_MACRO_ACCESS names. The expansion's place and end are those of the
  /// outermost macro call. Expansions on the same lines of one file become one site (of different kinds:
  /// rmw). A definition with a single expansion is that expansion's site; with several, it remains as the
  /// site of records whose __LINE__ does not tell the expansion. Where `argument` is a number, CUI_ARGUMENT
  /// says it in that expansion, which is told apart from others on its line.
  void addExpansion(SiteHandle definition, Site expansion, std::uint32_t argument = 0);
  /// On these lines the macro's text is no access, unless another expansion there is one.
  void addOther(SiteHandle definition, std::uint32_t line, std::uint32_t endLine);

  /// In a macro's body `first` stands for all expansions: on [line, endLine] it is `there`. The text says
  /// lineKey(first), which CUI_LINE looks up. Of two expansions that claim a line the first one added has it.
  void addLine(KernelHandle first, KernelHandle there, std::uint32_t line, std::uint32_t endLine);
  void addLine(LaunchHandle first, LaunchHandle there, std::uint32_t line, std::uint32_t endLine);
  void addLine(VariableHandle first, VariableHandle there, std::uint32_t line, std::uint32_t endLine);
  void addLine(CallHandle first, CallHandle there, std::uint32_t line, std::uint32_t endLine);

  // Two entries of the same place and name are one: the handle of the first comes back.
  KernelHandle add(Kernel kernel);
  LaunchHandle add(Launch launch);
  CallHandle add(Call call);
  VariableHandle add(Variable variable);

  void finalize();

  // After finalize():
  std::uint32_t number(SiteHandle handle) const;
  std::uint32_t number(KernelHandle handle) const;
  std::uint32_t number(LaunchHandle handle) const;
  std::uint32_t number(CallHandle handle) const;
  std::uint32_t number(VariableHandle handle) const;

  // Keys go on where the site numbers end, so that one compile-time table serves all.
  std::uint32_t lineKey(KernelHandle handle) const;
  std::uint32_t lineKey(LaunchHandle handle) const;
  std::uint32_t lineKey(VariableHandle handle) const;
  std::uint32_t lineKey(CallHandle handle) const;

  const std::vector<File>& files() const { return files_; }
  const std::vector<Site>& sites() const { return sites_; }
  const std::vector<Kernel>& kernels() const { return kernels_; }
  const std::vector<Launch>& launches() const { return launches_; }
  const std::vector<Call>& calls() const { return calls_; }
  const std::vector<Variable>& variables() const { return variables_; }
  std::uint64_t unitId() const { return unitId_; }

  /// The lines before the user's text, ending in `#line 1 "<main file>"` and a newline.
  std::string preamble(std::string_view includes = "") const;
  /// The lines after it, behind directives.
  std::string epilogue(std::string_view directives = "") const;
  /// What --emit-metadata writes.
  std::string json() const;

 private:
  struct OtherLines {
    std::uint32_t definition, line, endLine;
  };
  struct Expansion {
    std::uint32_t definition;  ///< handle
    std::uint32_t argument;    ///< 0: lines tell it
    Site site;
  };
  struct MacroLine {
    std::uint32_t site, line, lineSite;  ///< handles until the sites are sorted, then numbers
    std::uint32_t argument = 0;
  };

  template <class Handle>
  struct LineUse {
    Handle first, there;
    std::uint32_t line, endLine;
  };

  std::vector<MacroLine> resolveExpansions();
  void addOtherLines();
  template <class Handle>
  void addLineEntries(const std::vector<LineUse<Handle>>& uses);
  void assignIds();

  std::string version_;
  std::vector<File> files_;
  std::vector<Site> sites_;
  std::vector<Kernel> kernels_;
  std::vector<Launch> launches_;
  std::vector<Call> calls_;
  std::vector<Variable> variables_;
  std::vector<Expansion> expansions_;
  std::vector<OtherLines> others_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> claimed_;  ///< by an expansion: definition and line
  /// By definition, argument, file, line and last line.
  std::map<std::array<std::uint32_t, 5>, std::size_t> expansionNumbers_;
  std::vector<LineUse<KernelHandle>> kernelLines_;
  std::vector<LineUse<LaunchHandle>> launchLines_;
  std::vector<LineUse<VariableHandle>> variableLines_;
  std::vector<LineUse<CallHandle>> callLines_;
  std::vector<MacroLine> macroLines_;
  std::vector<std::uint32_t> siteNumbers_, kernelNumbers_, launchNumbers_, callNumbers_, variableNumbers_;
  std::uint64_t unitId_ = 0;
  bool hasMacros_ = false;
  bool finalized_ = false;
};

}  // namespace cui::sites
