// The bounded queue between user threads and the drain thread. Order is kept.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

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

  /// Moves everything queued to `out`, waiting up to `timeout` for something or for wake().
  void take(std::deque<Event>& out, std::chrono::nanoseconds timeout);
  /// Ends a wait in take().
  void wake();

 private:
  const std::uint64_t capacityBytes_;
  std::mutex mutex_;
  std::condition_variable filled_, emptied_;
  std::deque<Event> events_;
  std::uint64_t bytes_ = 0;
  std::uint64_t rounds_ = 0;  ///< calls of take(): the drain lives
  bool woken_ = false;
};

}  // namespace cui::hostlib
