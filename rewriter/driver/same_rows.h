// Places of a kernel that the same threads come to (constructs/grid_row.h): what the first of them finds out
// about the row of the grid, the next ones are told (CUI_BEGIN_ROW, CUI_SAME_ROW).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "constructs/findings.h"

namespace cui::driver {

class SameRows {
 public:
  /// What is evaluated first in a full expression: what is recorded in front of an expression, then an access
  /// at its own place, then the one that the expression assigns to.
  enum class Rank { inFront, inside, target };
  struct Order {
    constructs::Span whole;
    Rank rank = Rank::inFront;
    constructs::Span place;
    std::size_t part = 0;  ///< of several in front of one expression, from outside
    auto operator<=>(const Order&) const = default;
  };

  /// The number to ask with. `applies`: whether it is recorded by rows at all; asked by decide().
  std::size_t add(const constructs::RowSeen& row, Order order, std::function<bool()> applies);
  /// When all are there.
  void decide();

  /// What goes before the text of a place, after decide(): CUI_BY_ROW or another of its like.
  std::string open(std::size_t place, const std::vector<std::pair<unsigned, std::string>>& parts) const;
  /// How many rows several places share, of kernels that have such, by their opening brace.
  const std::map<constructs::Span, unsigned>& counts() const { return counts_; }

 private:
  enum class Role { alone, first, next };
  struct Place {
    constructs::RowSeen row;
    Order order;
    std::function<bool()> applies;
    Role role = Role::alone;
    unsigned number = 0;  ///< of its row, in the kernel; if it is not alone
  };

  static bool isUnordered(const Place& first, const Place& other);

  std::vector<Place> places_;
  std::map<constructs::Span, unsigned> counts_;
};

}  // namespace cui::driver
