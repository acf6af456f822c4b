// Terminals and standard output.
#include "cli/base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/base/errors.h"
#include "cli/base/format_text.h"

namespace cui::cli {
namespace {

constexpr std::string_view ellipsis = "…";
constexpr auto progressDelay = std::chrono::milliseconds(700);
constexpr auto progressInterval = std::chrono::milliseconds(200);

bool startsCodePoint(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

/// Bytes of the first `cells` code points.
std::size_t bytesOf(std::string_view text, std::size_t cells) {
  std::size_t i = 0;
  while (i < text.size() && (!startsCodePoint(text[i]) || cells-- > 0)) ++i;
  return i;
}

}  // namespace

std::size_t outputWidth() {
  if (!isatty(STDOUT_FILENO)) return unlimitedWidth;
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

bool outputHasColor() {
  const char* noColor = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(noColor && *noColor) && term && std::string_view(term) != "dumb";
}

bool errorIsTerminal() {
  return isatty(STDERR_FILENO) != 0;
}

std::size_t displayWidth(std::string_view text) {
  std::size_t width = 0;
  for (char c : text) width += startsCodePoint(c);
  return width;
}

std::string shortened(std::string_view text, std::size_t width) {
  const std::size_t cells = displayWidth(text);
  if (cells <= width) return std::string(text);
  if (width <= 1) return std::string(width == 1 ? ellipsis : "");
  // More of the beginning: it is what tells one expression from another.
  const std::size_t tail = (width - 1) / 3;
  const std::size_t head = width - 1 - tail;
  std::string result(text.substr(0, bytesOf(text, head)));
  result += ellipsis;
  result += text.substr(bytesOf(text, cells - tail));
  return result;
}

StandardOutput::Buffer::int_type StandardOutput::Buffer::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
  }
  return traits_type::not_eof(c);
}

int StandardOutput::Buffer::sync() {
  const char* next = pbase();
  while (error_ == 0 && next < pptr()) {
    const ssize_t count = write(STDOUT_FILENO, next, static_cast<std::size_t>(pptr() - next));
    if (count >= 0)
      next += count;
    else if (errno != EINTR)
      error_ = errno;
  }
  setp(data_.data(), data_.data() + data_.size());
  return error_ == 0 ? 0 : -1;
}

void StandardOutput::finish() {
  stream_.flush();
  if (buffer_.error() == EPIPE) throw Interrupted(SIGPIPE);
  if (failed())
    throw Error(ExitCode::io, std::string("cannot write the output: ") + std::strerror(buffer_.error()));
}

Progress::~Progress() {
  if (visible_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::uint64_t done, std::uint64_t total) {
  if (!errorIsTerminal()) return;
  const Clock::time_point now = Clock::now();
  if (now - begin_ < progressDelay || now - drawn_ < progressInterval) return;
  drawn_ = now;
  visible_ = true;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const std::string text = total > 0 ? formatText("\r{} {:.0f} % ({:.0f} s)\033[K", label_,
                                                  100.0 * double(done) / double(total), seconds)
                                     : formatText("\r{} {:.0f} s\033[K", label_, seconds);
  std::fputs(text.c_str(), stderr);
}

}  // namespace cui::cli
