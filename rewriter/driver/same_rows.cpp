#include "driver/same_rows.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "edit/forms.h"

namespace cui::driver {

using constructs::RowSeen;
using constructs::Span;

/// Which of several accesses inside one expression comes first is not known.
bool SameRows::isUnordered(const Place& first, const Place& other) {
  return first.order.whole == other.order.whole && first.order.rank == Rank::inside &&
         other.order.rank == Rank::inside;
}

std::size_t SameRows::add(const RowSeen& row, Order order, std::function<bool()> applies) {
  if (row.whole) order.whole = *row.whole;
  places_.push_back({row, std::move(order), std::move(applies)});
  return places_.size() - 1;
}

void SameRows::decide() {
  std::map<std::tuple<Span, unsigned, std::string, std::string>, std::vector<Place*>> alike;
  for (Place& place : places_)
    if (place.row.kernel && !place.row.inLoop() && place.applies())
      alike[{*place.row.kernel, place.row.corners, place.row.guard, place.row.guarded}].push_back(&place);
  std::vector<std::vector<Place*>> rows;  // the first of each, and the next
  for (auto& [key, places] : alike) {
    std::sort(places.begin(), places.end(),
              [](const Place* a, const Place* b) { return a->order < b->order; });
    const std::size_t before = rows.size();
    for (Place* place : places) {
      // Where the first is come to whenever this one is.
      const auto row = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(before), rows.end(),
                                    [place](const std::vector<Place*>& one) {
                                      return place->row.conditions.rfind(one[0]->row.conditions, 0) == 0;
                                    });
      if (row == rows.end())
        rows.push_back({place});
      else if (!isUnordered(*row->front(), *place))
        row->push_back(place);
    }
  }
  std::erase_if(rows, [](const std::vector<Place*>& row) { return row.size() == 1; });
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a[0]->order < b[0]->order; });
  for (const std::vector<Place*>& row : rows) {
    const unsigned number = counts_[*row[0]->row.kernel]++;
    for (Place* place : row) {
      place->role = place == row[0] ? Role::first : Role::next;
      place->number = number;
    }
  }
}

std::string SameRows::open(std::size_t at, const std::vector<std::pair<unsigned, std::string>>& parts) const {
  const auto& [row, order, applies, role, number] = places_[at];
  if (row.inLoop()) return edit::openByRow(row.numbers.all(), row.declarations, parts);
  switch (role) {
    case Role::first:
      return edit::open(
          edit::Form::CUI_BEGIN_ROW,
          std::to_string(number) + ", " + edit::rowShape(row.corners, row.declarations, row.guard), parts);
    case Role::next:
      return edit::open(edit::Form::CUI_SAME_ROW,
                        std::to_string(number) + ", (" + edit::list(row.declarations, "; ") + ")", parts);
    case Role::alone:
      break;
  }
  return edit::openByRow(row.corners, row.declarations, row.guard, parts);
}

}  // namespace cui::driver
