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
#include "db/analyses/host_writes.h"
#include "db/analyses/live_objects.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/analyses/written_words.h"

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

class Bounds : public AccessAnalysis {
 public:
  Bounds(const TraceModel& model, HostWrites host, const AnalysisOptions& options)
      : model_(model), host_(std::move(host)), live_(model), written_(options.memoryBytes / 2) {}

  void beginLaunch(const Launch& launch) override {
    live_.advance(launch);
    shared_ = model_.sharedOf(launch.id);
    blocks_.clear();
    meant_.clear();
    host_.applyUntil(launch.hostBeginNs, written_);
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

  /// True if nothing can be wrong, seen from the span alone; most accesses are told so at once.
  static bool isFine(const Access& access, const Span& span, const Object& object, WrittenWords& written) {
    if (!object.holds(span.low) || !object.holds(span.high - 1)) return false;
    if (!access.site.reads() || !(object.shared || object.deviceOnly)) return true;
    return span.high - span.low <= maxQuickSpan && !written.unwritten(span.low, span.high - span.low);
  }

  void deviceAccess(const Access& access) {
    const AccessRecord& record = access.record;
    const Span span = spanOf(record);
    const Object* const whole = live_.find(span.low);
    const bool writes = !access.site.reads() || access.site.writes();
    if (whole && isFine(access, span, *whole, written_)) {
      if (writes) write(record, span, written_);
      return;
    }
    if (!whole && live_.farFromAll(span.low, span.high, nearby + 1)) {  // as all lanes of a library's memory
      note(access, static_cast<unsigned>(std::countr_zero(record.mask)), BoundsFault::unknown, nullptr, 0,
           false, static_cast<std::uint64_t>(std::popcount(record.mask)));
      return;
    }
    const Object* object = nullptr;  // of the lane before
    unsigned first = 0;
    std::uint64_t unwritten = 0;  // lanes of this object, `first` the first of them
    const auto noteUnwritten = [&] {
      if (unwritten != 0) note(access, first, BoundsFault::unwritten, object, 0, false, unwritten);
      unwritten = 0;
    };
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const std::uint64_t address = record.lane[lane];
      if (!object || !object->holds(address)) {
        noteUnwritten();
        object = live_.find(address);
      }
      if (!object || !object->holds(address + record.bytes - 1)) {
        noteUnwritten();
        outside(access, lane, object);
        object = nullptr;
      } else if (object->deviceOnly && access.site.reads() && written_.unwritten(address, record.bytes)) {
        if (unwritten++ == 0) first = lane;
      }
    }
    noteUnwritten();
    if (writes) write(record, span, written_);
  }

  static void write(const AccessRecord& record, const Span& span, WrittenWords& written) {
    if (isDense(record)) return written.write(span.low, span.high - span.low);
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
        if (!access.site.reads() || access.site.writes()) write(record, span, *written);
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

  /// `lanes` of them, `lane` first.
  void note(const Access& access, unsigned lane, BoundsFault fault, const Object* object,
            std::uint64_t distance, bool behind, std::uint64_t lanes = 1) {
    BoundsCount& count = counts_[{access.site.number, fault, object}];
    count.lanes += lanes;
    if (count.lanes == lanes) {
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
  HostWrites host_;
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
  HostWrites host;
  error = HostWrites::load(reader, model, host);
  return error ? nullptr : std::make_unique<Bounds>(model, std::move(host), options);
}

}  // namespace cui::db
