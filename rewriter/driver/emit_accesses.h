// Accesses in the tables and in the text: by themselves, several of an expression, by rows of the grid, in
// front of their loops.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "constructs/findings.h"
#include "driver/loop_groups.h"
#include "driver/numbered_edits.h"
#include "driver/same_rows.h"
#include "edit/forms.h"

namespace cui::driver {

/// Must live until the edits are spelled.
class AccessEmitter {
 public:
  AccessEmitter(NumberedEdits& to, LoopGroups loops) : to_(to), loops_(std::move(loops)) {}
  AccessEmitter(const AccessEmitter&) = delete;
  AccessEmitter& operator=(const AccessEmitter&) = delete;

  void add(std::vector<constructs::AccessFound> accesses);
  /// What places by rows are told lies in variables of the kernel.
  void addRows();

 private:
  /// An access that is recorded in front of the full expression that makes it.
  struct Part {
    sites::SiteHandle handle;
    std::string text;
    const LoopGroup* partOf;  ///< what is in front of this loop may have done so
  };
  struct Group {
    std::vector<Part> parts, target;
    std::optional<constructs::Span> whole;         ///< that makes the last of them
    const LoopGroup* loop = nullptr;               ///< that all of them are in
    std::optional<constructs::RowSeen> row;        ///< what all of them need
    std::optional<constructs::LoopNumbers> alike;  ///< of those that are not told in front of a loop
    bool hasOwn = false;                           ///< there are such
    void add(Part part, const constructs::AccessSeen& access) {
      if (parts.empty() && target.empty())
        row = access.row;
      else
        join(row, access.row);
      if (!part.partOf) {
        if (!hasOwn)
          alike = access.alike;
        else if (alike != access.alike)
          alike.reset();
        hasOwn = true;
      }
      if (whole != access.whole) endWhole();
      whole = access.whole;
      (access.isTarget ? target : parts).push_back(std::move(part));
    }
    /// What the full expression writes to comes last, and then the next one.
    void endWhole() {
      parts.insert(parts.end(), target.begin(), target.end());
      target.clear();
    }
  };
  using Groups = std::map<constructs::Span, Group>;

  void addArgument(const constructs::AccessFound& argument);
  void addTogether(const constructs::Span& whole, Group& group);
  /// In rows_, if it is accounted for by rows; and its text.
  std::optional<std::pair<std::size_t, std::string>> rowOf(const constructs::AccessFound& found,
                                                           edit::Form form, const LoopGroup* loop);
  std::optional<std::size_t> rowOf(const Group& group, const constructs::Span& whole, std::size_t part);
  std::size_t rowOf(const constructs::RowSeen& row, SameRows::Order order, const LoopGroup* loop, bool alike);
  void addToLoop(LoopGroup& group, const constructs::AccessFound& found, const constructs::LoopSeen& loop,
                 sites::SiteHandle handle);
  void addToLoops(LoopGroup* innermost, const constructs::AccessFound& found, sites::SiteHandle handle);
  /// Sites and texts of a loop's places, and the declarations that these need.
  std::pair<std::vector<std::pair<unsigned, std::string>>, std::string> placesOf(const LoopGroup& loop);
  std::string numberOf(const LoopGroup& loop);
  /// What profiles are told in front of loops of which only some accesses can be.
  void addPartLoops();
  /// A loop goes by the number of its first access.
  void addLoops();
  /// Without their members yet. What is in none has no `whole` any more.
  Groups groupsOf(std::vector<constructs::AccessFound>& accesses);
  /// The full expression in front of which a full expression's accesses are recorded.
  constructs::Span frontOf(const constructs::Span& whole) const;

  NumberedEdits& to_;
  LoopGroups loops_;
  std::map<constructs::Span, constructs::Span>
      fronts_;  ///< of full expressions that are recorded in front of others
  SameRows rows_;
};

}  // namespace cui::driver
