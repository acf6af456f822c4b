// What lanes of a sample's blocks have logged each for itself (format/lane_log.h), as warp records: entries
// say which lanes came, and each lane's are in order, so those that belong together are found again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cuinstrument/format/lane_log.h"
#include "hostlib/slot.h"

namespace cui::hostlib {

class LaneLogs {
 public:
  using Slots = std::shared_ptr<const std::vector<Slot>>;

  /// Whole logs, of any warps; a warp's own are in the order in which its lanes came to them.
  void add(const Slots& logs) { logs_.push_back(logs); }

  /// Of all of them, and forgets them: records of one warp after the other, in order, without values and
  /// generation. Returns how many entries are of no record, as what other lanes had to say has not arrived:
  /// of a device that has failed, or a kernel that runs on.
  std::uint64_t take(const std::function<void(const std::vector<Slot>&)>& records);

 private:
  std::vector<Slots> logs_;
};

}  // namespace cui::hostlib
