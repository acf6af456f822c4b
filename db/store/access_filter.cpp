// See access_filter.h.
#include "db/store/access_filter.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cui::db {

void AccessFilter::narrow(Interval& interval, Relation comparison, std::int64_t value) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                         most = std::numeric_limits<std::int64_t>::max();
  switch (comparison) {
    case Relation::equal:
      interval.low = std::max(interval.low, value);
      interval.high = std::min(interval.high, value);
      return;
    case Relation::greater:
      never_ |= value == most;
      interval.low = std::max(interval.low, value == most ? most : value + 1);
      return;
    case Relation::atLeast:
      interval.low = std::max(interval.low, value);
      return;
    case Relation::less:
      never_ |= value == least;
      interval.high = std::min(interval.high, value == least ? least : value - 1);
      return;
    case Relation::atMost:
      interval.high = std::min(interval.high, value);
  }
}

void AccessFilter::narrow(AccessField field, Relation comparison, const Value& value) {
  Interval& interval = intervals_[static_cast<std::size_t>(field)];
  if (std::holds_alternative<std::monostate>(value)) {
    never_ = true;
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    narrow(interval, comparison, *integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    constexpr double limit = 9223372036854775808.0;  // 2^63
    const bool fromBelow = comparison == Relation::greater || comparison == Relation::atLeast;
    const bool fromAbove = comparison == Relation::less || comparison == Relation::atMost;
    if (*real >= limit || *real < -limit) {
      const bool above = *real > 0;
      never_ |= !(above ? fromAbove : fromBelow);
    } else if (std::floor(*real) == *real) {
      // Exactly: SQLite calls such a literal (`7.0`) a whole number when it asks whether it has to look
      // again.
      narrow(interval, comparison, static_cast<std::int64_t>(*real));
    } else if (comparison == Relation::equal) {
      never_ = true;
    } else if (fromBelow) {
      interval.low = std::max(interval.low, static_cast<std::int64_t>(std::ceil(*real)));
    } else {
      interval.high = std::min(interval.high, static_cast<std::int64_t>(std::floor(*real)));
    }
  }
}

void AccessFilter::keepSites(std::vector<std::int64_t> siteIds) {
  std::sort(siteIds.begin(), siteIds.end());
  if (!sites_) {
    sites_ = std::move(siteIds);
    return;
  }
  std::vector<std::int64_t> both;
  std::set_intersection(sites_->begin(), sites_->end(), siteIds.begin(), siteIds.end(),
                        std::back_inserter(both));
  sites_ = std::move(both);
}

bool AccessFilter::acceptsSite(std::int64_t siteId) const {
  return (*this)[AccessField::siteId].contains(siteId) &&
         (!sites_ || std::binary_search(sites_->begin(), sites_->end(), siteId));
}

bool AccessFilter::impossible() const {
  return never_ ||
         std::any_of(intervals_.begin(), intervals_.end(), [](const Interval& i) { return i.empty(); });
}

}  // namespace cui::db
