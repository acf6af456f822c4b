#include "hostlib/message.h"

#include <unistd.h>

#include <string>

namespace cui::hostlib {

void say(std::string_view text) {
  std::string line = "cuinstrument: ";
  line += text;
  line += '\n';
  // Nothing useful can be done if stderr is closed.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace cui::hostlib
