#include "hostlib/lane_logs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
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

  /// Appends its records; returns how many entries are of none.
  std::uint64_t take(std::vector<Slot>& out) {
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
        ++lost_;
        ++read_[lane].row;
      }
    }
    return lost_;
  }

 private:
  /// Where a lane is read: a log, of which it has `end` rows.
  struct Place {
    std::size_t log = 0;
    std::uint32_t row = 0, end = 0;
    std::uint32_t tag = 0, accessCount = 0;
    bool isOpen = false;
    const char* entries = nullptr;  ///< the lane's own, a row apart; null: the log is to be looked at
  };

  format::LaneLog headOf(std::size_t log) const {
    format::LaneLog head;
    std::memcpy(&head, logs_[log], sizeof head);
    return head;
  }
  Place beginOf(std::size_t log, std::uint32_t lane) const {
    const format::LaneLog head = headOf(log);
    Place place;
    place.log = log;
    place.end = std::min<std::uint32_t>(head.rows[lane], format::logRows(head.isLong != 0));
    place.tag = head.launch << format::logLaunchShift;
    place.accessCount = std::min(head.accessCount, format::mostLoggedAccesses);
    place.isOpen = head.rows[lane] == format::logIsOpen;
    place.entries = reinterpret_cast<const char*>(logs_[log]) + format::logRowBytes +
                    std::size_t{lane} * format::logEntryBytes;
    return place;
  }
  static bool isEntry(const Entry& entry, const Place& place, std::uint32_t lane) {
    constexpr std::uint32_t tagMask = ~std::uint32_t{0} << format::logLaunchShift;
    const std::uint32_t access = entry.what & (format::logPair - 1);
    const std::uint32_t last = access + ((entry.what & format::logPair) != 0 ? 1 : 0);
    return (entry.what & tagMask) == place.tag && (entry.lanes >> lane & 1u) != 0 && last < place.accessCount;
  }
  static Place afterLog(std::size_t log) {
    Place place;
    place.log = log + 1;
    return place;
  }
  /// The lane's next entry.
  std::optional<Entry> next(std::uint32_t lane) {
    Place& place = read_[lane];
    for (; place.log < logs_.size(); place = afterLog(place.log)) {
      if (place.entries == nullptr) place = beginOf(place.log, lane);
      if (place.row == place.end) continue;
      Entry entry;
      std::memcpy(&entry, place.entries + std::size_t{place.row} * format::logRowBytes, sizeof entry);
      if (isEntry(entry, place, lane)) return entry;
      if (!place.isOpen) lost_ += place.end - place.row;  // said to be there
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
  std::uint64_t lost_ = 0;
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
