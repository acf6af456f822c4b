// When a device's launches ran, where the end comes from the host's side and the beginning from the kernel's
// entry record (format/record.h: kernelBeganOf()), in either order.
//
// Used by the drain thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace cui::hostlib {

class LaunchTimes {
 public:
  struct Interval {
    std::uint64_t launchId = 0;
    std::int64_t beginNs = 0, endNs = 0;
  };

  /// What the device's timer must have added to it to be the host's clock, as ends have it.
  void setOffset(std::int64_t offsetNs) {
    offsetNs_ = offsetNs;
    haveOffset_ = true;
  }
  /// A launch that may be timed, and whose call returned at `hostEndNs`.
  void launched(std::uint64_t launchId, std::int64_t hostEndNs) { launches_[launchId].hostEndNs = hostEndNs; }
  /// Grid `key`, whose launch is not yet known, began then by the low bits of the device's timer; 0: it does
  /// not say.
  void entered(std::uint32_t key, std::uint64_t began);
  enum class Order { unknown, before, perhapsBefore, after };
  /// Whether grid `key`, whose launch is not yet known, began before the host's clock showed `hostNs`. By so
  /// little that it may be the clocks that differ: perhaps.
  Order beganBefore(std::uint32_t key, std::int64_t hostNs) const;
  /// Grid `key` is the launch's. Its times, if they are known by that.
  std::optional<Interval> matched(std::uint32_t key, std::uint64_t launchId);
  /// The launch has ended; `beginNs` may be CUI_BEGIN_IN_ENTRY. Likewise.
  std::optional<Interval> ended(std::uint64_t launchId, std::int64_t beginNs, std::int64_t endNs);
  /// Launches that have ended and whose entry has not come, when none comes any more.
  std::vector<Interval> takeUntold();

 private:
  struct Launch {
    std::int64_t hostEndNs = 0;
    std::uint64_t began = 0;  ///< by its entry; 0: not known
    bool ended = false;       ///< and waits for its beginning
    std::int64_t endNs = 0;
  };
  using Launches = std::unordered_map<std::uint64_t, Launch>;
  Interval takeWhole(Launches::iterator launch);

  std::int64_t offsetNs_ = 0;
  bool haveOffset_ = false;
  std::unordered_map<std::uint32_t, std::uint64_t> entries_;  ///< by key, of grids not yet matched
  Launches launches_;                                         ///< whose times are not known
};

}  // namespace cui::hostlib
