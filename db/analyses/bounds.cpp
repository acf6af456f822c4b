// bounds: accesses outside of every allocation or shared variable, to freed memory, and reads of words that
// nothing has written.
#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/bounds_finding.h"
#include "db/analyses/live_objects.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/analyses/written_words.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

using format::Space;

/// Farther away than this, an address has nothing to do with the nearest object.
constexpr std::uint64_t nearby = std::uint64_t{1} << 20;
/// Blocks whose shared memory is followed at a time; a GPU runs so many at once.
constexpr std::size_t maxBlocks = 4096;
constexpr std::uint64_t sharedWindowBytes = 256 << 10;
/// Looking at each word of a longer span takes longer than at each lane's.
constexpr std::uint64_t maxQuickSpan = 8192;

/// A copy or fill by the host.
struct HostWrite {
  std::int64_t timeNs = 0;
  std::uint64_t address = 0, bytes = 0;
  bool rows = false;  ///< 2D or 3D: the range is larger than the bytes
};

bool isMemoryOfItsOwn(const Object& object) {  // nobody but copies, fills and kernels can write it
  return object.api.compare(0, 10, "cudaMalloc") == 0 && object.api != "cudaMallocManaged" &&
         object.api != "cudaMallocHost";
}

class Bounds : public AccessAnalysis {
 public:
  Bounds(const TraceModel& model, std::vector<HostWrite> writes, const AnalysisOptions& options)
      : model_(model), hostWrites_(std::move(writes)), live_(model), written_(options.memoryBytes / 2) {
    for (const Object& object : model.allocations) births_.push_back(&object);
    stableSort(births_, [](const Object* a, const Object* b) { return a->allocatedNs < b->allocatedNs; });
  }

  void beginLaunch(const Launch& launch) override {
    live_.advance(launch);
    shared_ = model_.sharedOf(launch.id);
    blocks_.clear();
    meant_.clear();
    applyHostUntil(launch.hostBeginNs);
  }

  void access(const Access& access) override {
    if (access.record.bytes == 0) return;
    if (access.space() == Space::shared)
      sharedAccess(access);
    else if (access.space() != Space::local)
      deviceAccess(access);
  }

  void finish(std::vector<Finding>& findings) override;

 private:
  using Key = std::tuple<std::uint32_t, BoundsFault, const Object*>;

  void applyHostUntil(std::int64_t timeNs) {
    // In time order: what is allocated is fresh, then the host fills it.
    while (nextBirth_ < births_.size() || nextWrite_ < hostWrites_.size()) {
      const bool birth =
          nextBirth_ < births_.size() && (nextWrite_ == hostWrites_.size() ||
                                          births_[nextBirth_]->allocatedNs <= hostWrites_[nextWrite_].timeNs);
      if ((birth ? births_[nextBirth_]->allocatedNs : hostWrites_[nextWrite_].timeNs) > timeNs) return;
      if (birth) {
        const Object& object = *births_[nextBirth_++];
        if (isMemoryOfItsOwn(object)) written_.forget(object.address, object.bytes);
        current_[object.address] = &object;
      } else {
        const HostWrite& write = hostWrites_[nextWrite_++];
        const auto next = current_.upper_bound(write.address);
        const Object* const object = next == current_.begin() ? nullptr : std::prev(next)->second;
        if (write.rows && object && object->holds(write.address))
          written_.write(object->address, object->bytes);
        else
          written_.write(write.address, write.bytes);
      }
    }
  }

  /// True if nothing can be wrong, seen from the span alone; most accesses are told so at once.
  static bool isFine(const Access& access, const Span& span, const Object& object, WrittenWords& written) {
    if (!object.holds(span.low) || !object.holds(span.high - 1)) return false;
    if (!access.site.reads() || !(object.shared || isMemoryOfItsOwn(object))) return true;
    return span.high - span.low <= maxQuickSpan && !written.unwritten(span.low, span.high - span.low);
  }

  void deviceAccess(const Access& access) {
    const AccessRecord& record = access.record;
    const Span span = spanOf(record);
    const Object* const whole = live_.find(span.low);
    if (whole && isFine(access, span, *whole, written_)) {
      if (!access.site.reads() || access.site.writes()) write(record, written_);
      return;
    }
    const Object* object = nullptr;  // of the lane before
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const std::uint64_t address = record.lane[lane];
      if (!object || !object->holds(address)) object = live_.find(address);
      if (!object || !object->holds(address + record.bytes - 1)) {
        outside(access, lane, object);
        object = nullptr;
        continue;
      }
      if (!isMemoryOfItsOwn(*object)) continue;
      if (access.site.reads() && written_.unwritten(address, record.bytes))
        note(access, lane, BoundsFault::unwritten, object, 0, false);
    }
    if (!access.site.reads() || access.site.writes()) write(record, written_);
  }

  static void write(const AccessRecord& record, WrittenWords& written) {
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1)
      written.write(record.lane[static_cast<std::size_t>(std::countr_zero(rest))], record.bytes);
  }

  void outside(const Access& access, unsigned lane, const Object* object) {
    const std::uint64_t address = access.record.lane[lane];
    if (object) {  // its last bytes hang over
      note(access, lane, BoundsFault::outside, object,
           address + access.record.bytes - object->address - object->bytes, true);
      return;
    }
    if (const Object* const freed = live_.findFreed(address)) {
      note(access, lane, BoundsFault::freed, freed, 0, false);
      return;
    }
    std::uint64_t distance = 0;
    const Object* const nearest = live_.nearest(address, distance);
    const bool behind = nearest && address >= nearest->address;
    if (nearest && distance <= nearby)
      note(access, lane, BoundsFault::outside, nearest,
           behind ? distance + access.record.bytes - 1 : distance, behind);
    else
      note(access, lane, BoundsFault::unknown, nullptr, 0, false);
  }

  void sharedAccess(const Access& access) {
    const AccessRecord& record = access.record;
    WrittenWords* const written = blockWords(record.block);
    const Span span = spanOf(record);
    if (written && span.high <= sharedWindowBytes) {
      const Object* const meant = meantBy(access.site);
      if (meant && isFine(access, span, *meant, *written)) {
        if (!access.site.reads() || access.site.writes()) write(record, *written);
        return;
      }
    }
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const Object* const object = sharedObject(access, record.lane[lane], lane);
      if (object && written && access.site.reads() && written->unwritten(record.lane[lane], record.bytes))
        note(access, lane, BoundsFault::unwritten, object, 0, false);
    }
    if (!written || (access.site.reads() && !access.site.writes())) return;
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      const std::uint64_t address = record.lane[static_cast<std::size_t>(std::countr_zero(rest))];
      if (address < sharedWindowBytes) written->write(address, record.bytes);
    }
  }

  /// The launch's only variable of the name in the expression; null: none, or several.
  const Object* meantBy(const Site& site) {
    const auto [found, fresh] = meant_.emplace(site.number, nullptr);
    if (!fresh) return found->second;
    for (const Object* each = shared_.first; each != shared_.second; ++each) {
      if (each->name != site.base) continue;
      if (found->second) return found->second = nullptr;
      found->second = each;
    }
    return found->second;
  }

  /// The variable the expression names, if the launch has exactly one of that name, or whichever holds the
  /// address. Null, with a note, if the access leaves it.
  const Object* sharedObject(const Access& access, std::uint64_t address, unsigned lane) {
    const std::uint64_t last = address + access.record.bytes - 1;
    const Object *holder = nullptr, *named = nullptr, *nearest = nullptr;
    bool several = false;
    std::uint64_t distance = std::numeric_limits<std::uint64_t>::max();
    for (const Object* each = shared_.first; each != shared_.second; ++each) {
      if (each->bytes == 0) return nullptr;  // of unknown extent: nothing can be said
      if (each->name == access.site.base) {
        several = named != nullptr;
        named = each;
      }
      if (each->holds(address) && each->holds(last)) holder = each;
      const std::uint64_t gap = address < each->address ? each->address - address
                                : each->holds(last)     ? 0
                                                        : last - each->address - each->bytes + 1;
      if (gap < distance) {
        distance = gap;
        nearest = each;
      }
    }
    if (!nearest) return nullptr;
    if (holder && (!named || several || named == holder)) return holder;
    const Object& meant = named && !several ? *named : *nearest;
    const bool behind = last >= meant.address + meant.bytes;
    // Where memory of no variable lies in the window, the CPU backend does not know: no distance then.
    const auto holds = [address](const Object& each) { return each.holds(address); };
    if (std::none_of(shared_.first, shared_.second, holds))
      distance = 0;
    else
      distance = behind ? last - meant.address - meant.bytes + 1 : meant.address - address;
    note(access, lane, BoundsFault::outside, &meant, distance, behind);
    return nullptr;
  }

  /// Null: the block's beginning was not seen, or it was forgotten.
  WrittenWords* blockWords(std::uint32_t block) {
    const auto found = blocks_.find(block);
    if (found != blocks_.end()) return &found->second;
    if (blocks_.size() >= maxBlocks)
      blocks_.erase(blocks_.begin());  // the lowest: on a GPU, one that has ended
    return &blocks_.emplace(block, WrittenWords(sharedWindowBytes)).first->second;
  }

  void note(const Access& access, unsigned lane, BoundsFault fault, const Object* object,
            std::uint64_t distance, bool behind) {
    BoundsCount& count = counts_[{access.site.number, fault, object}];
    if (count.lanes++ == 0) {
      count.behind = behind;
      count.launchId = access.launch.id;
      count.thread = threadName(access.launch, access.record.block, access.record.warp, lane);
      count.address = access.record.lane[lane];
      count.bytes = access.record.bytes;
    }
    count.leastDistance = std::min(count.leastDistance, distance);
    count.mostDistance = std::max(count.mostDistance, distance);
  }

  const TraceModel& model_;
  std::vector<HostWrite> hostWrites_;
  std::vector<const Object*> births_;
  std::size_t nextBirth_ = 0, nextWrite_ = 0;
  std::map<std::uint64_t, const Object*> current_;  // the youngest allocation at an address
  LiveObjects live_;
  WrittenWords written_;
  std::pair<const Object*, const Object*> shared_;
  std::unordered_map<std::uint32_t, const Object*> meant_;  ///< by site number, in this launch
  std::map<std::uint32_t, WrittenWords> blocks_;
  std::map<Key, BoundsCount> counts_;
};

void Bounds::finish(std::vector<Finding>& findings) {
  std::vector<std::pair<std::uint64_t, Finding>> all;
  all.reserve(counts_.size());
  for (const auto& [key, count] : counts_) {
    const auto& [number, fault, object] = key;
    all.emplace_back(count.lanes, boundsFinding(model_.sites[number], fault, object, count));
  }
  stableSort(all, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& each : all) findings.push_back(std::move(each.second));
  if (!written_.full()) return;
  Finding note;
  note.verdict =
      "uninitialised reads of global memory were looked for only until the memory for it was used up";
  findings.push_back(std::move(note));
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeBounds(const TraceReader& reader, const TraceModel& model,
                                           const AnalysisOptions& options, Error& error) {
  std::vector<HostWrite> writes;
  error = reader.query(
      "SELECT begin_ns, destination, bytes, api FROM memory_operation WHERE error = 0 ORDER BY begin_ns",
      [&](Row row) {
        const std::string api = asText(row[3]);
        writes.push_back({asInteger(row[0]), static_cast<std::uint64_t>(asInteger(row[1])),
                          static_cast<std::uint64_t>(asInteger(row[2])),
                          api.find("2D") != std::string::npos || api.find("3D") != std::string::npos});
        return true;
      });
  return error ? nullptr : std::make_unique<Bounds>(model, std::move(writes), options);
}

}  // namespace cui::db
