// One-line messages to the user, on stderr.
#pragma once

#include <string_view>

namespace cui::hostlib {

/// Prints "cuinstrument: <text>\n" with one write, so that lines of several threads do not mix.
void say(std::string_view text);

}  // namespace cui::hostlib
