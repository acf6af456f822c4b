// Searches in long texts: a unit's PTX is megabytes, and is gone through dozens of times.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace cui::cli {

/// A few characters, of which each of a text is one or none by a look at a table. `find_first_of()` searches
/// them all for each.
class Characters {
 public:
  constexpr explicit Characters(std::string_view characters) {
    for (const char c : characters) has_[static_cast<unsigned char>(c)] = true;
  }
  constexpr bool has(char c) const { return has_[static_cast<unsigned char>(c)]; }

  /// Where the first of these is, from `at` on; npos if there is none.
  constexpr std::size_t firstIn(std::string_view text, std::size_t at = 0) const {
    return first(text, at, true);
  }
  /// The first that is none of these.
  constexpr std::size_t firstNotIn(std::string_view text, std::size_t at = 0) const {
    return first(text, at, false);
  }

 private:
  constexpr std::size_t first(std::string_view text, std::size_t at, bool wanted) const {
    for (; at < text.size(); ++at)
      if (has(text[at]) == wanted) return at;
    return std::string_view::npos;
  }

  std::array<bool, 256> has_{};
};

/// `text.find(part, at)`, which stops at each character that `part` begins with: each dot, in PTX.
inline std::size_t findIn(std::string_view text, std::string_view part, std::size_t at = 0) {
  if (at > text.size()) return std::string_view::npos;
  const void* const found = ::memmem(text.data() + at, text.size() - at, part.data(), part.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace cui::cli
