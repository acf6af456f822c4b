// lifetimes: allocations that are never freed, never used, far larger than what is used of them, or in the
// way of others, and copies for nothing.
#include <algorithm>

#include "db/analyses/live_objects.h"
#include "db/analyses/peak_memory.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"

namespace cui::db {

namespace {

struct ObjectUse {
  std::uint64_t low = ~std::uint64_t{0}, high = 0;  ///< bytes touched, by anybody; high is exclusive
  std::uint64_t hostWrites = 0, hostReads = 0;      ///< copies and fills
  std::uint64_t kernelReads = 0, kernelWrites = 0;  ///< sites in launches
  std::uint64_t uselessReads = 0;  ///< copied back, though no kernel wrote it since the host did
  bool changed = false;
  UseTimes times;

  void touch(std::uint64_t begin, std::uint64_t end, std::int64_t timeNs) {
    low = std::min(low, begin);
    high = std::max(high, end);
    times.touch(timeNs);
  }
};

/// Something that happened to memory, in time order.
struct Happening {
  std::int64_t timeNs = 0;
  std::uint64_t begin = 0, end = 0;
  enum class Who { hostWrite, hostRead, copyRead, kernelRead, kernelWrite } who = Who::hostWrite;
};

class Lifetimes {
 public:
  explicit Lifetimes(const TraceModel& model)
      : model_(model), live_(model), uses_(model.allocations.size()) {}

  void apply(const Happening& happening) {
    live_.advance(happening.timeNs);
    const Object* const first = live_.find(happening.begin);
    if (first && first->holds(happening.end - 1)) {
      apply(happening, useOf(*first));
      return;
    }
    // A site that accesses several allocations: any between may be meant. The host's own memory: none.
    live_.forEachIn(happening.begin, happening.end, [&](const Object& object) {
      ObjectUse& use = useOf(object);
      use.touch(object.address, object.address + object.bytes, happening.timeNs);
      use.changed = true;
      ++use.kernelReads;
      ++use.kernelWrites;
    });
  }

  const ObjectUse& useOf(std::size_t index) const { return uses_[index]; }

 private:
  ObjectUse& useOf(const Object& object) {
    return uses_[static_cast<std::size_t>(&object - model_.allocations.data())];
  }

  static void apply(const Happening& happening, ObjectUse& use) {
    use.touch(happening.begin, happening.end, happening.timeNs);
    switch (happening.who) {
      case Happening::Who::hostWrite:
        ++use.hostWrites;
        use.changed = false;
        break;
      case Happening::Who::hostRead:
        ++use.hostReads;
        if (use.hostWrites != 0 && !use.changed) ++use.uselessReads;
        break;
      case Happening::Who::copyRead:  // from device to device
        ++use.hostReads;
        break;
      case Happening::Who::kernelRead:
        ++use.kernelReads;
        break;
      case Happening::Who::kernelWrite:
        ++use.kernelWrites;
        use.changed = true;
        break;
    }
  }

  const TraceModel& model_;
  LiveObjects live_;
  std::vector<ObjectUse> uses_;
};

/// One row at a time, in order: copies, fills and what each site did in each launch.
Error applyAll(const TraceReader& reader, Lifetimes& lifetimes) {
  using Who = Happening::Who;
  return reader.query(
      "SELECT begin_ns AS ns, destination, destination + bytes, 0 FROM memory_operation WHERE error = 0 AND "
      "bytes > 0 "
      "UNION ALL SELECT begin_ns, source, source + bytes, iif(direction = 'device_to_host', 1, 4) FROM "
      "memory_operation WHERE error = 0 AND bytes > 0 AND source <> 0 "
      "UNION ALL SELECT host_begin_ns, min_address, max_address + 1, iif(kind = 'load', 2, 3) FROM "
      "site_metric JOIN "
      "site USING(site_id) JOIN launch USING(launch_id) WHERE sector_requests > 0 "
      "UNION ALL SELECT host_begin_ns, min_address, max_address + 1, 2 FROM site_metric JOIN site "
      "USING(site_id) JOIN "
      "launch USING(launch_id) WHERE sector_requests > 0 AND kind NOT IN ('load', 'store') ORDER BY ns",
      [&](Row row) {
        const std::int64_t who = asInteger(row[3]);
        lifetimes.apply({asInteger(row[0]), asUnsigned(row[1]), asUnsigned(row[2]),
                         who == 0   ? Who::hostWrite
                         : who == 1 ? Who::hostRead
                         : who == 2 ? Who::kernelRead
                         : who == 3 ? Who::kernelWrite
                                    : Who::copyRead});
        return true;
      });
}

void judge(const Object& object, const ObjectUse& use, bool complete, std::vector<Finding>& findings) {
  const auto bytes = static_cast<unsigned long long>(object.bytes);
  const char* const name = object.name.empty() ? object.api.c_str() : object.name.c_str();
  const auto add = [&](Finding::Severity severity, std::string verdict, const char* why,
                       std::string suggestion) {
    Finding finding;
    finding.file = object.file;
    finding.line = object.line;
    finding.expression = finding.base = object.name;
    finding.severity = severity;
    finding.verdict = std::move(verdict);
    finding.why = why;
    finding.suggestion = std::move(suggestion);
    finding.numbers = {{"bytes", static_cast<double>(object.bytes)}};
    findings.push_back(std::move(finding));
  };
  using Severity = Finding::Severity;
  if (complete && object.freedNs == 0)
    add(Severity::warning, formatted("never freed: %s (%llu bytes)", name, bytes),
        "memory that a longer program would run out of", std::string("free it after its last use"));
  if (use.high == 0) {
    add(Severity::warning, formatted("never used: %s (%llu bytes)", name, bytes),
        "no kernel, copy or fill touches it", "leave it out");
    return;
  }
  const std::uint64_t used = use.high - std::max(use.low, object.address) + (use.low - object.address);
  if (used < object.bytes / 2)
    add(Severity::warning,
        formatted("over-allocated: %s has %llu bytes, of which the first %llu are used", name, bytes,
                  static_cast<unsigned long long>(used)),
        "memory that others could have", "allocate what is used");
  if (use.hostWrites != 0 && use.kernelReads + use.kernelWrites == 0 && use.hostReads == 0)
    add(Severity::warning,
        formatted("filled for nothing: %s is copied to or set, and nothing reads it", name),
        "a transfer takes longer than most kernels", "leave out the copy");
  if (use.uselessReads != 0)
    add(Severity::warning,
        formatted("copied back unchanged: %s, %llu times, though no kernel wrote it since the host did", name,
                  static_cast<unsigned long long>(use.uselessReads)),
        "a transfer takes longer than most kernels", "the host has these bytes already");
}

}  // namespace

Error lifetimes(const TraceReader& reader, const AnalysisOptions& options, std::vector<Finding>& findings) {
  TraceModel model;
  if (Error error = TraceModel::load(reader, model)) return error;
  Lifetimes all(model);
  if (Error error = applyAll(reader, all)) return error;
  std::vector<UseTimes> times;
  times.reserve(model.allocations.size());
  for (std::size_t i = 0; i < model.allocations.size(); ++i) {
    const Object& object = model.allocations[i];
    times.push_back(all.useOf(i).times);
    if (object.api.compare(0, 4, "cuda") == 0) judge(object, all.useOf(i), reader.complete(), findings);
  }
  findPeakMemory(model, times, findings);
  stableSort(findings,
             [](const Finding& a, const Finding& b) { return a.numbers[0].second > b.numbers[0].second; });
  if (findings.size() > options.limit) findings.resize(options.limit);
  return {};
}

}  // namespace cui::db
