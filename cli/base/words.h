// A command line's words.
#pragma once

#include <string>
#include <vector>

namespace cui::cli {

using Words = std::vector<std::string>;

inline void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace cui::cli
