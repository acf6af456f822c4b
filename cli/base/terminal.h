// What standard output and standard error are connected to, and writing to them.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace cui::cli {

constexpr std::size_t unlimitedWidth = std::numeric_limits<std::size_t>::max();

/// Columns of the terminal on standard output; unlimited if it is none.
std::size_t outputWidth();
/// Standard output is a terminal, NO_COLOR is unset or empty, and TERM is not "dumb".
bool outputHasColor();
bool errorIsTerminal();

/// Character cells a UTF-8 text takes (one per code point).
std::size_t displayWidth(std::string_view text);
/// At most `width` cells; what is left out in the middle becomes an ellipsis.
std::string shortened(std::string_view text, std::size_t width);

/// Standard output, buffered, that remembers why writing failed.
class StandardOutput {
 public:
  StandardOutput() : stream_(&buffer_) {}
  std::ostream& stream() { return stream_; }
  /// Nobody reads any more, or the disk is full: there is no use in going on.
  bool failed() const { return buffer_.error() != 0; }
  /// Flushes. Throws Interrupted(SIGPIPE) for a closed pipe, Error (io) for anything else that failed.
  void finish();

 private:
  class Buffer : public std::streambuf {
   public:
    Buffer() { setp(data_.data(), data_.data() + data_.size()); }
    int error() const { return error_; }

   protected:
    int_type overflow(int_type c) override;
    int sync() override;

   private:
    std::array<char, 1 << 16> data_;
    int error_ = 0;
  };
  Buffer buffer_;
  std::ostream stream_;
};

/// One line on standard error that is drawn over while work goes on; only on a terminal, and only after
/// the work has taken a moment.
class Progress {
 public:
  explicit Progress(std::string label) : label_(std::move(label)) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// `total` 0: unknown.
  void show(std::uint64_t done, std::uint64_t total);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point drawn_ = begin_;
  bool visible_ = false;
};

}  // namespace cui::cli
