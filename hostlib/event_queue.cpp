#include "hostlib/event_queue.h"

#include <utility>

namespace cui::hostlib {
namespace {

constexpr std::size_t mostKept = 1 << 14;  ///< events, a few MB

std::uint64_t sizeOf(const Event& event) {
  const auto* records = std::get_if<RecordsEvent>(&event);
  const auto* logs = std::get_if<LaneLogsEvent>(&event);
  const std::size_t slots = records != nullptr ? records->slots.size()
                            : logs != nullptr  ? logs->logs->size()
                                               : 0;
  return sizeof(Event) + slots * sizeof(Slot);
}

}  // namespace

EventQueue::EventQueue(std::uint64_t capacityBytes) : capacityBytes_(capacityBytes) {}

bool EventQueue::push(Event event, std::chrono::nanoseconds patience) {
  const std::uint64_t bytes = sizeOf(event);
  std::unique_lock lock(mutex_);
  // A batch larger than the queue goes in alone.
  while (bytes_ != 0 && bytes_ + bytes > capacityBytes_) {
    const std::uint64_t round = rounds_;
    if (emptied_.wait_for(lock, patience) == std::cv_status::timeout && rounds_ == round) return false;
  }
  bytes_ += bytes;
  events_.push_back(std::move(event));
  const bool wakes = this->wakes();
  lock.unlock();
  if (wakes) filled_.notify_one();
  return true;
}

void EventQueue::pushOrdered(const std::function<Event()>& make) {
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(make());
    bytes_ += sizeOf(events_.back());
    wakes = this->wakes();
  }
  if (wakes) filled_.notify_one();
}

void EventQueue::take(std::vector<Event>& out, std::chrono::nanoseconds timeout) {
  out.clear();
  if (out.capacity() > mostKept) std::vector<Event>().swap(out);  // after a rush
  {
    std::unique_lock lock(mutex_);
    comesSoon_ = timeout <= soon;
    filled_.wait_for(lock, timeout, [this] { return woken_ || !events_.empty(); });
    woken_ = false;
    ++rounds_;
    bytes_ = 0;
    out.swap(events_);
  }
  emptied_.notify_all();
}

void EventQueue::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  filled_.notify_one();
}

}  // namespace cui::hostlib
