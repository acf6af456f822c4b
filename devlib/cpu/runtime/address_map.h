// Look-ups in maps from where a piece of memory begins.
#pragma once

#include <iterator>

namespace cui::cpu {

/// The last piece that begins at `address` or before; the map's end if there is none.
template <class Map>
auto lastNotBehind(Map& map, typename Map::key_type address) {
  const auto behind = map.upper_bound(address);
  return behind == map.begin() ? map.end() : std::prev(behind);
}

}  // namespace cui::cpu
