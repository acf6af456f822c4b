#include "merge.h"

#include <cstring>
#include <vector>

namespace cui::cpu {

using backend::AccessKey;

/// Which keys lie ahead in which lanes' logs, from the heads on. Built when lanes first disagree.
class Lookahead {
 public:
  void build(const WarpLogs& logs, std::uint32_t lanes) {
    keys_ = 0;
    std::memset(table_, 0xff, sizeof table_);
    for (; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = firstLane(lanes);
      const LaneLog& log = logs.lane[lane];
      for (std::uint32_t i = logs.head[lane]; i < log.count; ++i) {
        const std::uint16_t id = idOf(log.key[i]);
        id_[lane][i] = id;
        if (count_[id][lane]++ == 0) ahead_[id] |= 1u << lane;
      }
    }
  }
  std::uint16_t id(unsigned lane, std::uint32_t entry) const { return id_[lane][entry]; }
  std::uint32_t ahead(std::uint16_t id) const { return ahead_[id]; }
  void passed(unsigned lane, std::uint32_t entry) {
    const std::uint16_t id = id_[lane][entry];
    if (--count_[id][lane] == 0) ahead_[id] &= ~(1u << lane);
  }

 private:
  static constexpr std::uint32_t maxKeys = warpLanes * laneLogEntries;
  static constexpr std::uint32_t tableSize = 2 * maxKeys;

  std::uint16_t idOf(std::uint64_t key) {
    std::uint32_t slot = static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15ull) >> 40) % tableSize;
    while (table_[slot] != 0xffff) {
      if (key_[table_[slot]] == key) return table_[slot];
      slot = (slot + 1) % tableSize;
    }
    const auto id = static_cast<std::uint16_t>(keys_++);
    table_[slot] = id;
    key_[id] = key;
    ahead_[id] = 0;
    std::memset(count_[id], 0, sizeof count_[id]);
    return id;
  }

  std::uint32_t keys_ = 0;
  std::uint16_t table_[tableSize];
  std::uint64_t key_[maxKeys];
  std::uint32_t ahead_[maxKeys];
  std::uint8_t count_[maxKeys][warpLanes];
  std::uint16_t id_[warpLanes][laneLogEntries];
};
static_assert(laneLogEntries <= 255, "counts are bytes");

namespace {

struct Group {
  std::uint64_t key;
  std::uint32_t lanes;
  std::uint16_t id;
};

/// Deeper first, then the smaller site; the rest of the key only makes the order total.
bool preferred(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t depthA = a >> AccessKey::depthShift, depthB = b >> AccessKey::depthShift;
  if (depthA != depthB) return depthA > depthB;
  const std::uint64_t siteA = a & ((1u << AccessKey::siteBits) - 1),
                      siteB = b & ((1u << AccessKey::siteBits) - 1);
  return siteA != siteB ? siteA < siteB : a < b;
}

class Merge {
 public:
  Merge(WarpLogs& logs, std::uint32_t running, std::uint32_t starved, Encoder& encoder, Lookahead& lookahead)
      : logs_(logs), encoder_(encoder), lookahead_(lookahead), running_(running), starved_(starved) {
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      if (logs.head[lane] < logs.lane[lane].count) active_ |= 1u << lane;
  }

  std::uint32_t run() {
    while (active_ != 0 && (running_ & ~active_) == 0) {
      const std::uint32_t rows = commonRows();
      if (rows != 0 && !diverged_)
        together(rows);
      else if (rows != 0)
        for (std::uint32_t i = 0; i < rows; ++i) row(active_);
      else
        row(behind());
    }
    return moved_;
  }

 private:
  /// How many accesses all lanes with entries have in common from here.
  std::uint32_t commonRows() const {
    const unsigned first = firstLane(active_);
    const std::uint64_t* reference = logs_.lane[first].key + logs_.head[first];
    std::uint32_t rows = logs_.lane[first].count - logs_.head[first];
    for (std::uint32_t left = active_ & (active_ - 1); left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      const std::uint64_t* keys = logs_.lane[lane].key + logs_.head[lane];
      const std::uint32_t available = logs_.lane[lane].count - logs_.head[lane];
      if (available < rows) rows = available;
      if (std::memcmp(keys, reference, rows * sizeof *keys) == 0) continue;
      std::uint32_t same = 0;
      while (keys[same] == reference[same]) ++same;
      rows = same;
      if (rows == 0) return 0;
    }
    return rows;
  }

  /// What row(active_) does so many times, where nothing else needs to know of each.
  void together(std::uint32_t rows) {
    const std::uint32_t lanes = active_;
    const LaneLog& first = logs_.lane[firstLane(lanes)];
    const std::uint64_t* const keys = first.key + logs_.head[firstLane(lanes)];
    const std::uint64_t* next[warpLanes];
    std::uint32_t begin[warpLanes];
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      std::uint32_t& head = logs_.head[lane];
      next[lane] = logs_.lane[lane].address + head;
      begin[lane] = head;
      head += rows;
      if (head == logs_.lane[lane].count) active_ &= ~(1u << lane);
    }
    moved_ |= lanes;
    std::uint64_t address[warpLanes];
    const unsigned char* values[warpLanes];
    for (std::uint32_t i = 0; i < rows; ++i) {
      if (lanes == allLanes)
        for (unsigned lane = 0; lane < warpLanes; ++lane) address[lane] = next[lane][i];
      else
        for (std::uint32_t left = lanes; left != 0; left &= left - 1)
          address[firstLane(left)] = next[firstLane(left)][i];
      if ((keys[i] & AccessKey::valueBit) != 0)
        for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
          const unsigned lane = firstLane(left);
          values[lane] = logs_.values[lane] + std::size_t{begin[lane] + i} * format::maxValueBytes;
        }
      encoder_.access(lanes, keys[i], address, values);
    }
  }

  /// Emits one access of `lanes`, whose heads have one key, and moves their heads.
  void row(std::uint32_t lanes) {
    std::uint64_t address[warpLanes];
    const unsigned char* values[warpLanes];
    const std::uint64_t key = logs_.lane[firstLane(lanes)].key[logs_.head[firstLane(lanes)]];
    const bool withValues = (key & AccessKey::valueBit) != 0;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      const std::uint32_t entry = logs_.head[lane]++;
      address[lane] = logs_.lane[lane].address[entry];
      if (withValues) values[lane] = logs_.values[lane] + std::size_t{entry} * format::maxValueBytes;
      if (diverged_) lookahead_.passed(lane, entry);
      if (logs_.head[lane] == logs_.lane[lane].count) active_ &= ~(1u << lane);
    }
    moved_ |= lanes;
    encoder_.access(lanes, key, address, values);
  }

  /// The lanes to go first where lanes are at different accesses.
  std::uint32_t behind() {
    if (!diverged_) lookahead_.build(logs_, active_);
    diverged_ = true;
    Group groups[warpLanes];
    unsigned count = 0;
    for (std::uint32_t left = active_; left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      const std::uint16_t id = lookahead_.id(lane, logs_.head[lane]);
      unsigned g = 0;
      while (g < count && groups[g].id != id) ++g;
      if (g == count) groups[count++] = {logs_.lane[lane].key[logs_.head[lane]], 0, id};
      groups[g].lanes |= 1u << lane;
    }
    const Group* best = nullptr;
    bool bestWaits = true;
    for (unsigned g = 0; g < count; ++g) {
      if ((groups[g].lanes & starved_) != 0) return groups[g].lanes;
      const bool waits = mustWait(groups, count, g);
      if (best == nullptr || (bestWaits && !waits) ||
          (bestWaits == waits && preferred(groups[g].key, best->key))) {
        best = &groups[g];
        bestWaits = waits;
      }
    }
    return best->lanes;
  }

  /// Whether lanes of another group will still come to group g's access, and should be let through.
  bool mustWait(const Group* groups, unsigned count, unsigned g) const {
    const std::uint32_t coming = lookahead_.ahead(groups[g].id) & ~groups[g].lanes;
    if (coming == 0) return false;
    for (unsigned h = 0; h < count; ++h) {
      if ((groups[h].lanes & coming) == 0) continue;
      const bool mutual = (lookahead_.ahead(groups[h].id) & groups[g].lanes) != 0;
      if (!mutual || preferred(groups[h].key, groups[g].key)) return true;
    }
    return false;
  }

  WarpLogs& logs_;
  Encoder& encoder_;
  Lookahead& lookahead_;
  const std::uint32_t running_, starved_;
  std::uint32_t active_ = 0;  ///< lanes with entries left
  std::uint32_t moved_ = 0;
  bool diverged_ = false;  ///< the lookahead is built
};

}  // namespace

Merger::Merger() : lookahead_(new Lookahead) {}
Merger::~Merger() = default;

std::uint32_t Merger::merge(WarpLogs& logs, std::uint32_t running, std::uint32_t starved, Encoder& encoder) {
  return Merge(logs, running, starved, encoder, *lookahead_).run();
}

}  // namespace cui::cpu
