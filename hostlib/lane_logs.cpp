#include "hostlib/lane_logs.h"

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>

#include "cuinstrument/format/access_key.h"
#include "hostlib/device_forms.h"

namespace cui::hostlib {
namespace {

struct Entry {
  std::uint32_t first, second, lanes, what;
};
static_assert(sizeof(Entry) == format::logEntryBytes);

/// One warp's, with how far each lane has been read.
class Warp {
 public:
  void add(const Slot* log) { logs_.push_back(log); }

  std::uint64_t take(std::vector<Slot>& out) {
    std::uint64_t lost = 0;
    for (std::uint32_t lane = 0; lane < format::lanesPerWarp;) {
      const std::optional<Entry> entry = next(lane);
      if (!entry) {
        ++lane;
        continue;
      }
      const std::optional<Entry> first = readyFrom(lane, *entry);
      if (first) {
        write(*first, out);
      } else {
        ++lost;
        ++read_[lane].row;
      }
    }
    return lost;
  }

 private:
  struct Place {
    std::size_t log = 0;
    std::uint32_t row = 0;
  };

  format::LaneLog headOf(std::size_t log) const {
    format::LaneLog head;
    std::memcpy(&head, logs_[log], sizeof head);
    return head;
  }
  /// The lane's next entry.
  std::optional<Entry> next(std::uint32_t lane) {
    for (Place& place = read_[lane]; place.log < logs_.size(); place = {place.log + 1, 0}) {
      const auto* const bytes = reinterpret_cast<const char*>(logs_[place.log]);
      std::uint32_t launch = 0, accessCount = 0, isLong = 0;
      std::uint16_t rows = 0;
      std::memcpy(&launch, bytes, sizeof launch);
      std::memcpy(&rows, bytes + format::logLaneRowsAt + lane * sizeof rows, sizeof rows);
      std::memcpy(&accessCount, bytes + offsetof(format::LaneLog, accessCount), sizeof accessCount);
      std::memcpy(&isLong, bytes + offsetof(format::LaneLog, isLong), sizeof isLong);
      if (place.row >= rows || place.row >= format::logRows(isLong != 0)) continue;  // open: more than all
      Entry entry;
      std::memcpy(&entry, bytes + (1 + std::size_t{place.row}) * format::logRowBytes + lane * sizeof entry,
                  sizeof entry);
      const std::uint32_t tag = launch << format::logLaunchShift;
      constexpr std::uint32_t tagMask = ~std::uint32_t{0} << format::logLaunchShift;
      const std::uint32_t access = entry.what & (format::logPair - 1);
      const std::uint32_t last = access + ((entry.what & format::logPair) != 0 ? 1 : 0);
      if ((entry.what & tagMask) == tag && (entry.lanes >> lane & 1u) != 0 && last < accessCount)
        return entry;
    }
    return std::nullopt;
  }
  /// The entry that comes first of those that this one waits for, if all of its lanes are at it.
  std::optional<Entry> readyFrom(std::uint32_t lane, Entry entry) {
    for (std::uint32_t step = 0; step < format::lanesPerWarp; ++step) {
      std::uint32_t waits = format::lanesPerWarp;
      Entry others{};
      for (std::uint32_t rest = entry.lanes; rest != 0; rest &= rest - 1) {
        const auto other = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::optional<Entry> its = next(other);
        if (!its) return std::nullopt;
        if (its->lanes == entry.lanes && its->what == entry.what) continue;
        waits = other;
        others = *its;
        break;
      }
      if (waits == format::lanesPerWarp) return entry;
      if (waits == lane) return std::nullopt;
      entry = others;
    }
    return std::nullopt;
  }
  /// One record, or two, of the entry that all of its lanes are at.
  void write(const Entry& entry, std::vector<Slot>& out) {
    const std::uint32_t access = entry.what & (format::logPair - 1);
    const bool both = (entry.what & format::logPair) != 0;
    std::array<std::uint64_t, format::lanesPerWarp> first{}, second{};
    const format::LaneLog head = headOf(read_[static_cast<std::uint32_t>(std::countr_zero(entry.lanes))].log);
    for (std::uint32_t rest = entry.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const Entry own = next(lane).value_or(entry);
      first[lane] = both ? own.first : own.first | std::uint64_t{own.second} << 32;
      second[lane] = own.second;
      ++read_[lane].row;
    }
    appendPlaces(headerOf(head, access), entry.lanes, first, out);
    if (both) appendPlaces(headerOf(head, access + 1), entry.lanes, second, out);
  }
  static Slot headerOf(const format::LaneLog& head, std::uint32_t access) {
    const std::uint64_t what = head.accesses[access];
    const auto key = static_cast<std::uint32_t>(what);
    const auto space = static_cast<format::Space>(key & ((1u << format::keyShift) - 1));
    const auto flags =
        format::makeFlags(format::RecordType::access, format::AddressForm::affine, space, false);
    const auto bytes = static_cast<std::uint32_t>(what >> format::logAccessBytesShift);
    Slot header{};
    header.word[1] = std::uint64_t{format::makeWarpAndBytes(head.warp, bytes)} << 32 | std::uint64_t{flags}
                                                                                           << 48;
    header.word[2] = (head.firstSite + (key >> format::keyShift)) | std::uint64_t{head.launch} << 32;
    header.word[3] = head.block;
    return header;
  }

  std::vector<const Slot*> logs_;
  std::array<Place, format::lanesPerWarp> read_{};
};

}  // namespace

std::uint64_t LaneLogs::take(const std::function<void(const std::vector<Slot>&)>& records) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Warp> warps;
  for (const Slots& logs : logs_)
    for (std::size_t at = 0; at < logs->size();) {
      format::LaneLog head;
      std::memcpy(&head, &(*logs)[at], sizeof head);
      const std::size_t slots = format::logBytes(head.isLong != 0) / sizeof(Slot);
      if (at + slots > logs->size()) break;
      warps[{head.launch, head.block, head.warp}].add(&(*logs)[at]);
      at += slots;
    }
  std::uint64_t lost = 0;
  std::vector<Slot> out;
  for (auto& [which, warp] : warps) {
    out.clear();
    lost += warp.take(out);
    if (!out.empty()) records(out);
  }
  logs_.clear();
  return lost;
}

}  // namespace cui::hostlib
