// for (float x : CUI_EACH(7, a)): each turn copies an element, and no expression of the source does. The
// range is seen through iterators that record what they lead to: where the loop's variable is named, the
// element's address is not known any more.
#pragma once

#include <cstddef>

namespace cui {

/// As `auto` has it.
template <class T>
T cuiDecayed(T);

// What the loop would call itself: members, else what the range's own namespaces have. The last parameter
// prefers the first of those that exist. Whose side their functions are of is the loop's business.
CUI_ANY_SIDE
template <class Range>
CUI_HD constexpr auto cuiBegin(Range& range, int)
    -> decltype(static_cast<void>(range.end()), cuiDecayed(range.begin())) {
  return range.begin();
}
CUI_ANY_SIDE
template <class Range>
CUI_HD constexpr auto cuiBegin(Range& range, long) -> decltype(cuiDecayed(begin(range))) {
  return begin(range);
}
template <class T, std::size_t N>
CUI_HD constexpr T* cuiBegin(T (&range)[N], int) {
  return range;
}
CUI_ANY_SIDE
template <class Range>
CUI_HD constexpr auto cuiEnd(Range& range, int)
    -> decltype(static_cast<void>(range.begin()), cuiDecayed(range.end())) {
  return range.end();
}
CUI_ANY_SIDE
template <class Range>
CUI_HD constexpr auto cuiEnd(Range& range, long) -> decltype(cuiDecayed(end(range))) {
  return end(range);
}
template <class T, std::size_t N>
CUI_HD constexpr T* cuiEnd(T (&range)[N], int) {
  return range + N;
}

/// What an iterator gives: an element that is somewhere is recorded; a value is one that the iterator's own
/// code has made, or one that stands for an element.
template <bool Values>
struct Element {
  template <class UnitState, class T>
  static CUI_HD constexpr T& cuiRead(UnitState& unit, unsigned site, T& element) {
    return Values ? cuiLoad(unit, site, element) : cuiAccess(unit, site, element);
  }
  template <class UnitState, class T>
  static CUI_HD constexpr T cuiRead(UnitState& unit, unsigned site, T&& value) {
    return cuiAccess(unit, site, static_cast<T&&>(value));
  }
};

/// The range's own iterator, or what it ends with.
template <class UnitState, class Iterator, bool Values>
struct EachIterator {
  UnitState* cuiUnit;
  unsigned cuiSite;
  Iterator cuiAt;

  CUI_ANY_SIDE
  CUI_HD constexpr decltype(auto) operator*() { return Element<Values>::cuiRead(*cuiUnit, cuiSite, *cuiAt); }
  CUI_ANY_SIDE
  CUI_HD constexpr void operator++() { static_cast<void>(++cuiAt); }
  CUI_ANY_SIDE
  template <class End>
  CUI_HD constexpr decltype(auto) operator!=(EachIterator<UnitState, End, Values>& end) {
    return cuiAt != end.cuiAt;
  }
};

/// `Range` is a reference, or a temporary's type: then this is it, and lives as long.
template <class UnitState, class Range, bool Values>
struct Each {
  UnitState& cuiUnit;
  unsigned cuiSite;
  Range cuiRange;

  CUI_HD constexpr auto begin() {
    return EachIterator<UnitState, decltype(cuiBegin(cuiRange, 0)), Values>{&cuiUnit, cuiSite,
                                                                            cuiBegin(cuiRange, 0)};
  }
  CUI_HD constexpr auto end() {
    return EachIterator<UnitState, decltype(cuiEnd(cuiRange, 0)), Values>{&cuiUnit, cuiSite,
                                                                          cuiEnd(cuiRange, 0)};
  }
};
template <bool Values, class UnitState, class Range>
CUI_HD constexpr Each<UnitState, Range, Values> cuiEach(UnitState& unit, unsigned site, Range&& range) {
  return {unit, site, static_cast<Range&&>(range)};
}

}  // namespace cui

#define CUI_EACH(site, ...) ::cui::cuiEach<false>(::cui::unitState, site, (__VA_ARGS__))
#define CUI_LOAD_EACH(site, ...) ::cui::cuiEach<true>(::cui::unitState, site, (__VA_ARGS__))
#define CUI_MACRO_EACH(site, ...) CUI_EACH(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_MACRO_LOAD_EACH(site, ...) CUI_LOAD_EACH(CUI_SITE_OF_LINE(site), __VA_ARGS__)
