// The bounded queue between user threads and the drain thread. Order is kept. Waking a thread is a system
// call, which would be most of what a launch costs the program: a drain that comes by itself soon is not
// woken for little.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "hostlib/event.h"

namespace cui::hostlib {

class EventQueue {
 public:
  explicit EventQueue(std::uint64_t capacityBytes);

  /// Waits for room while the drain makes progress; false (the event is gone) after `patience` without.
  bool push(Event event, std::chrono::nanoseconds patience);
  /// As push() of what `make` returns, which is called with the queue locked: its place in the queue and
  /// its number are decided together. Never waits.
  void pushOrdered(const std::function<Event()>& make);

  /// Moves everything queued to `out`, whose memory the queue goes on with, waiting up to `timeout` for
  /// something or for wake().
  void take(std::vector<Event>& out, std::chrono::nanoseconds timeout);
  /// Ends a wait in take().
  void wake();

 private:
  /// Whether the drain is to be woken for what the queue holds now.
  bool wakes() const { return !comesSoon_ || bytes_ >= wakingBytes; }
  static constexpr std::uint64_t wakingBytes = 1 << 16;
  static constexpr std::chrono::nanoseconds soon = std::chrono::milliseconds(1);

  const std::uint64_t capacityBytes_;
  std::mutex mutex_;
  std::condition_variable filled_, emptied_;
  std::vector<Event> events_;  ///< not a deque: one thread would allocate its pieces, another free them
  std::uint64_t bytes_ = 0;
  std::uint64_t rounds_ = 0;  ///< calls of take(): the drain lives
  bool woken_ = false;
  bool comesSoon_ = false;  ///< the last call of take() waits, or waited, no longer than that
};

}  // namespace cui::hostlib
