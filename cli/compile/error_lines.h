// Which lines of the user's a failed compilation complains about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cui::cli {

/// `file:line` of each error in nvcc's and gcc's messages, and of the places that those errors were
/// instantiated from; each once, in the order of the messages.
std::vector<std::string> errorLines(std::string_view messages);

}  // namespace cui::cli
