// contention: atomics whose threads meet on few words, and sectors that several blocks write different bytes
// of.
#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/paged_cells.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/analyses/weights.h"

namespace cui::db {

namespace {

using format::Space;

/// Who wrote a 32-byte sector in this launch.
struct ContendedSector {
  std::uint32_t block = 0, bytes = 0;  ///< the last writer's block, and all bytes written so far
  bool shared = false;                 ///< counted already
};

struct Atomics {
  std::uint64_t requests = 0, lanes = 0;
  std::uint64_t serial = 0;  ///< lanes on a request's busiest word, summed
  std::uint64_t busiest = 0;
};

struct Sharing {
  std::uint64_t requests = 0, lanes = 0;
  std::uint64_t sectors = 0, shared = 0;  ///< written; written by several blocks, different bytes
};

class Contention : public AccessAnalysis {
 public:
  Contention(const TraceModel& model, Weights weights, const AnalysisOptions& options)
      : model_(model),
        weights_(std::move(weights)),
        words_(options.memoryBytes / 8),
        sectors_(options.memoryBytes / 4) {}

  void beginLaunch(const Launch&) override {
    words_.clear();
    sectors_.clear();
  }

  void access(const Access& access) override {
    const Space space = access.space();
    if (access.record.bytes == 0 || space == Space::local || space == Space::constant) return;
    if (access.site.kind == format::Kind::atomic) atomic(access, space == Space::shared);
    if (access.site.writes() && access.site.kind != format::Kind::atomic && space != Space::shared)
      written(access);
  }

  void finish(std::vector<Finding>& findings) override {
    for (const auto& [number, atomics] : atomics_) judge(number, atomics, findings);
    for (const auto& [number, sharing] : sharing_) judge(number, sharing, findings);
    stableSort(findings,
               [](const Finding& a, const Finding& b) { return a.numbers[0].second > b.numbers[0].second; });
  }

 private:
  void atomic(const Access& access, bool shared) {
    const AccessRecord& record = access.record;
    Atomics& atomics = atomics_[access.site.number];
    std::array<std::uint64_t, format::lanesPerWarp> address{};
    std::size_t count = 0;
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      address[count++] = record.lane[static_cast<std::size_t>(std::countr_zero(rest))];
      if (shared) continue;  // each block has words of its own
      if (std::uint64_t* const times = words_.make(address[count - 1] / 4))
        atomics.busiest = std::max(atomics.busiest, ++*times);
    }
    std::sort(address.begin(), address.begin() + static_cast<std::ptrdiff_t>(count));
    std::uint64_t most = 0, run = 0;
    for (std::size_t i = 0; i < count; ++i) {
      run = i > 0 && address[i] == address[i - 1] ? run + 1 : 1;
      most = std::max(most, run);
    }
    ++atomics.requests;
    atomics.lanes += count;
    atomics.serial += most;
  }

  void written(const Access& access) {
    const AccessRecord& record = access.record;
    Sharing& sharing = sharing_[access.site.number];
    ++sharing.requests;
    sharing.lanes += static_cast<std::uint64_t>(std::popcount(record.mask));
    if (isDense(record)) {
      const Span span = spanOf(record);
      written(sharing, record.block, span.low, span.high);
      return;
    }
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      const std::uint64_t begin = record.lane[static_cast<std::size_t>(std::countr_zero(rest))];
      if (!written(sharing, record.block, begin, begin + record.bytes)) return;
    }
  }

  /// False: the memory is used up.
  bool written(Sharing& sharing, std::uint32_t block, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t number = begin / sectorBytes; number * sectorBytes < end; ++number) {
      ContendedSector* const sector = sectors_.make(number);
      if (!sector) return false;
      const std::uint64_t from = std::max(begin, number * sectorBytes) - number * sectorBytes;
      const std::uint64_t to = std::min(end, (number + 1) * sectorBytes) - number * sectorBytes;
      const auto bytes = static_cast<std::uint32_t>((std::uint64_t{1} << to) - (std::uint64_t{1} << from));
      if (sector->bytes == 0) {
        ++sharing.sectors;
      } else if (!sector->shared && sector->block != block && (sector->bytes & bytes) == 0) {
        sector->shared = true;
        ++sharing.shared;
      }
      sector->block = block;
      sector->bytes |= bytes;
    }
    return true;
  }

  void judge(std::uint32_t number, const Atomics& atomics, std::vector<Finding>& findings) const {
    const double perWarp = static_cast<double>(atomics.serial) / static_cast<double>(atomics.requests);
    const double share = static_cast<double>(atomics.busiest) / static_cast<double>(atomics.lanes);
    const bool hot = atomics.busiest >= 1024 && share >= 0.1;
    if (perWarp < 4 && !hot) return;
    Finding finding;
    static_cast<Place&>(finding) = model_.sites[number];
    // Each thread that waits for another of its warp is a request more; each on the busiest word waits for
    // the others.
    const auto serial = static_cast<double>(atomics.serial), requests = static_cast<double>(atomics.requests);
    const double more = serial - requests + (hot ? static_cast<double>(atomics.busiest) / perWarp : 0);
    const double all = weights_.of(finding.siteId).requests + serial - requests;
    weights_.weigh(finding, all > 0 ? more / all : 0);
    finding.verdict = formatted("atomics meet: %.1f of a warp's threads on one word", perWarp);
    if (atomics.busiest != 0)
      finding.verdict += formatted("; the busiest word takes %llu of %llu (%.0f %%)",
                                   static_cast<unsigned long long>(atomics.busiest),
                                   static_cast<unsigned long long>(atomics.lanes), 100 * share);
    finding.why = "atomics on one word are served one after the other";
    finding.suggestion =
        "add up in the warp first (__reduce_add_sync, shuffles) and let one thread do the atomic, or count "
        "in shared memory, a copy for each block, and add those up at the end";
    finding.numbers = {{"thread_accesses", static_cast<double>(atomics.lanes)},
                       {"threads_per_word", perWarp},
                       {"busiest_word", static_cast<double>(atomics.busiest)}};
    findings.push_back(std::move(finding));
  }

  void judge(std::uint32_t number, const Sharing& sharing, std::vector<Finding>& findings) const {
    // Where one block's part ends and the next begins within a sector costs nothing worth a finding.
    if (sharing.shared * 4 < sharing.sectors) return;
    if (sharing.shared == 0) return;
    Finding finding;
    static_cast<Place&>(finding) = model_.sites[number];
    // The result of a block, or of a warp, is one word: they lie side by side for who reads them.
    const SiteWeight& weight = weights_.of(finding.siteId);
    if (sharing.lanes == sharing.requests && weight.ownRequests <= weight.fewestRequests) return;
    const auto shared = static_cast<double>(sharing.shared);
    weights_.weighCost(finding,
                       weights_.of(finding.siteId).ownCost * shared / static_cast<double>(sharing.sectors));
    finding.severity = std::min(finding.severity, Finding::Severity::warning);  // L2 takes most of it
    finding.verdict = formatted(
        "false sharing: %llu of %llu sectors are written by several blocks, each its own bytes",
        static_cast<unsigned long long>(sharing.shared), static_cast<unsigned long long>(sharing.sectors));
    finding.why = "blocks run on different multiprocessors: each writes the sector to L2 on its own";
    finding.suggestion =
        "give each block whole sectors of 32 bytes: neighbouring elements to the threads of one block";
    finding.numbers = {{"shared_sectors", static_cast<double>(sharing.shared)},
                       {"written_sectors", static_cast<double>(sharing.sectors)}};
    findings.push_back(std::move(finding));
  }

  const TraceModel& model_;
  const Weights weights_;
  PagedCells<std::uint64_t> words_;
  PagedCells<ContendedSector> sectors_;
  std::map<std::uint32_t, Atomics> atomics_;
  std::map<std::uint32_t, Sharing> sharing_;
};

}  // namespace

std::unique_ptr<AccessAnalysis> makeContention(const TraceReader& reader, const TraceModel& model,
                                               const AnalysisOptions& options, Error& error) {
  Weights weights;
  error = Weights::load(reader, weights);
  return std::make_unique<Contention>(model, std::move(weights), options);
}

}  // namespace cui::db
