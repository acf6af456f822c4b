// See peak_memory.h.
#include "db/analyses/peak_memory.h"

#include <algorithm>

#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/analyses/weights.h"

namespace cui::db {

namespace {

struct Life {
  const Object* object = nullptr;
  UseTimes use;
  std::int64_t beginNs = 0, endNs = 0;  ///< alive in [beginNs, endNs)
};

struct Peak {
  std::uint64_t bytes = 0;
  std::int64_t beginNs = 0, endNs = 0;  ///< the first interval in which so many bytes are taken
};

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

Peak peakOf(const std::vector<Life>& lives) {
  struct Event {
    std::int64_t timeNs = 0;
    bool begin = false;
    std::uint64_t bytes = 0;
  };
  std::vector<Event> events;
  for (const Life& life : lives) {
    events.push_back({life.beginNs, true, life.object->bytes});
    if (life.endNs != forever) events.push_back({life.endNs, false, life.object->bytes});
  }
  stableSort(events, [](const Event& a, const Event& b) {
    return a.timeNs != b.timeNs ? a.timeNs < b.timeNs : a.begin < b.begin;
  });
  Peak peak;
  std::uint64_t bytes = 0;
  bool open = false;
  for (const Event& event : events) {
    if (event.begin) {
      bytes += event.bytes;
      if (bytes > peak.bytes) {
        peak = {bytes, event.timeNs, forever};
        open = true;
      }
    } else {
      if (open) peak.endNs = event.timeNs;
      open = false;
      bytes -= event.bytes;
    }
  }
  return peak;
}

/// Device memory that the program asked for; what pools and managed memory take is not known from the calls.
bool takesDeviceMemory(const Object& object) {
  return object.api == "cudaMalloc" || object.api == "cudaMallocAsync" || object.api == "cudaMallocPitch" ||
         object.api == "cudaMalloc3D";
}

}  // namespace

void findPeakMemory(const TraceModel& model, const std::vector<UseTimes>& uses,
                    std::vector<Finding>& findings) {
  std::vector<Life> lives;
  for (std::size_t i = 0; i < model.allocations.size(); ++i) {
    const Object& object = model.allocations[i];
    if (takesDeviceMemory(object))
      lives.push_back({&object, uses[i], object.allocatedNs, object.freedNs == 0 ? forever : object.freedNs});
  }
  const Peak peak = peakOf(lives);
  std::vector<Life> least = lives;
  for (Life& life : least) {
    life.beginNs = life.use.any() ? std::max(life.beginNs, life.use.firstNs) : life.endNs;
    // The call that uses it last returns before it does; one nanosecond more keeps it for that.
    if (life.use.any() && life.use.lastNs < life.endNs) life.endNs = life.use.lastNs + 1;
  }
  std::erase_if(least, [](const Life& life) { return life.beginNs >= life.endNs; });
  const Peak lower = peakOf(least);
  if (lower.bytes >= peak.bytes) return;
  for (const Life& life : lives) {
    if (!life.use.any() || life.beginNs > peak.beginNs || life.endNs <= peak.beginNs) continue;
    const bool late = life.use.lastNs < peak.beginNs, early = life.use.firstNs >= peak.endNs;
    if (!late && !early) continue;
    const Object& object = *life.object;
    Finding finding;
    finding.file = object.file;
    finding.line = object.line;
    finding.expression = finding.base = object.name;
    const auto share = static_cast<double>(object.bytes) / static_cast<double>(peak.bytes);
    finding.severity = share >= warningFrom ? Finding::Severity::warning : Finding::Severity::info;
    finding.verdict =
        formatted("%s: %s (%llu bytes) takes part of the peak of %llu bytes, and is %s",
                  late ? "freed late" : "allocated early",
                  object.name.empty() ? object.api.c_str() : object.name.c_str(),
                  static_cast<unsigned long long>(object.bytes), static_cast<unsigned long long>(peak.bytes),
                  late ? "not used any more by then" : "not used before somebody else is freed");
    finding.why =
        formatted("with every allocation alive from its first use to its last the peak is %llu bytes",
                  static_cast<unsigned long long>(lower.bytes));
    finding.suggestion = late ? "free it after its last use" : "allocate it right before its first use";
    finding.numbers = {{"bytes", static_cast<double>(object.bytes)},
                       {"peak_bytes", static_cast<double>(peak.bytes)},
                       {"lowest_peak_bytes", static_cast<double>(lower.bytes)}};
    findings.push_back(std::move(finding));
  }
}

}  // namespace cui::db
