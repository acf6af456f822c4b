// Which loops are recorded in front of them: those all of whose accesses can be (constructs/loop.h).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "constructs/findings.h"
#include "constructs/sources.h"

namespace cui::driver {

/// The text on one line; "" if that cannot be.
std::string lineOf(const constructs::Span& span, const constructs::Sources& sources);

/// What is not there yet, in its order.
void addNew(std::vector<std::string>& all, const std::vector<std::string>& more);

/// What two accesses need that are accounted for together; none if they cannot be.
void join(std::optional<constructs::RowSeen>& row, const std::optional<constructs::RowSeen>& other);

struct LoopGroup {
  constructs::LoopSeen seen;  ///< with what all of its accesses need
  std::size_t accesses = 0;   ///< so many it has
  /// If all blocks make all of them alike: numbers that tell the times apart that they come to the loop.
  std::optional<std::vector<std::string>> alike;
  std::optional<constructs::RowSeen> row;  ///< as CUI_LOOP_BY_ROW says it
  /// Filled while these are numbered: where each is evaluated, its site and its text.
  struct Member {
    std::pair<constructs::Span, bool> order;  ///< full expression; last in it: what it assigns to
    constructs::Span span;
    sites::SiteHandle handle;
    std::string text;
  };
  std::vector<Member> members;

  /// Some access could not be edited: then none is recorded in front of the loop.
  bool isWhole() const { return members.size() == accesses; }
  /// In the order of evaluation.
  void sort();
};

class LoopGroups {
 public:
  /// Accesses in other loops are in none afterwards.
  LoopGroups(std::vector<constructs::AccessFound>& accesses, const constructs::Sources& sources);

  /// The loop that the access is recorded in front of; null: none.
  LoopGroup* find(const constructs::AccessFound& access);
  auto begin() { return groups_.begin(); }
  auto end() { return groups_.end(); }

 private:
  std::map<constructs::Span, LoopGroup> groups_;
};

}  // namespace cui::driver
