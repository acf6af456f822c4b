// Which loops are recorded in front of them: those all of whose accesses can be (constructs/loop.h). Of other
// loops some accesses' sums can be told in front of them, where it is no matter in which order things happen.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
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
  constructs::LoopSeen seen;         ///< with what all of its accesses need
  std::size_t accesses = 0;          ///< so many it has
  std::size_t places = 0;            ///< so many they make each time round it
  std::set<constructs::Span> calls;  ///< what would be recorded at once each time round it
  bool nests = false;                ///< some access is in a loop in it
  LoopGroup* around = nullptr;       ///< the next loop around it that has all of its accesses, too
  /// Filled while these are numbered: where each is evaluated, its site and its text.
  struct Member {
    std::pair<constructs::Span, bool> order;  ///< full expression; last in it: what it assigns to
    constructs::Span span;
    sites::SiteHandle handle;
    std::string text;
    std::vector<constructs::LoopSeen::Inner> inner;  ///< as LoopSeen has them
    std::vector<std::string> texts;
  };
  std::vector<Member> members;

  /// Some access could not be edited: then none is recorded in front of the loop.
  bool isWhole() const { return members.size() == accesses; }
  /// The outermost loop that all is recorded in front of; itself if that is no other's. Of whole ones.
  const LoopGroup& outermost() const;
  /// All is recorded in front of it, if it can be. That may be a second attempt, in a loop whose own has
  /// failed; but the one block that accounts for all has been chosen there, and where nothing can fail there
  /// is none.
  bool isRecorded() const;
  /// In the order of evaluation.
  void sort();
  /// Sites and texts of its places, each as often as it is made, in that order.
  std::vector<std::pair<sites::SiteHandle, std::string>> writtenOut() const;

 private:
  void add(const constructs::AccessFound& access, const constructs::LoopSeen& loop);
  bool isWorthIt() const;
  void writeOut(std::size_t begin, std::size_t end, std::size_t depth, std::size_t time,
                std::vector<std::pair<sites::SiteHandle, std::string>>& all) const;
  friend class LoopGroups;
};

class LoopGroups {
 public:
  /// Accesses in other loops are in none afterwards.
  LoopGroups(std::vector<constructs::AccessFound>& accesses, const constructs::Sources& sources);

  /// The innermost loop that the access is recorded in front of; null: none.
  LoopGroup* find(const constructs::AccessFound& access);
  /// The loop in front of which profiles have its sums; null: none, or the one above.
  LoopGroup* findPart(const constructs::AccessFound& access);
  /// Those loops.
  std::map<constructs::Span, LoopGroup>& parts() { return parts_; }
  auto begin() { return groups_.begin(); }
  auto end() { return groups_.end(); }

 private:
  void addToPart(constructs::AccessFound& access, const constructs::Sources& sources);

  std::map<constructs::Span, LoopGroup> groups_, parts_;
};

}  // namespace cui::driver
