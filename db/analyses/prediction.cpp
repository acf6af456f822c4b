// prediction: how long each kernel's memory traffic takes at least, from the recorded transactions and a
// GPU's bandwidths. docs/analyses.md states the model.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/address_change.h"
#include "db/analyses/cache_simulation.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/store/metrics.h"

namespace cui::db {

namespace {

// What one multiprocessor moves a clock: a wavefront of 128 bytes through L1 or shared memory, and a sector
// from or to L2.
constexpr double l2SectorsPerClock = 1, wavefrontsPerClock = 1;
constexpr std::uint64_t sectorsPerWavefront = 4;

struct Kernel {
  std::uint64_t launches = 0;
  CacheTraffic traffic;
  std::uint64_t wavefronts = 0;  ///< through L1 and shared memory
  double dramUs = 0, l2Us = 0, l1Us = 0, us = 0, uncachedUs = 0;
  std::map<std::uint32_t, std::uint64_t> dramOfSites;
};

struct LaunchTraffic {
  CacheTraffic traffic;
  std::uint64_t wavefronts = 0;
};

class Prediction : public AccessAnalysis {
 public:
  Prediction(const TraceModel& model, const GpuPreset& gpu, bool chosen, std::uint64_t memoryBytes)
      : model_(model),
        gpu_(gpu),
        chosen_(chosen),
        caches_(gpu, memoryBytes,
                [this](std::uint32_t site, const CacheTraffic& traffic) { count(site, traffic); }) {}

  void beginLaunch(const Launch& launch) override {
    std::uint64_t shared = 0;
    const auto [first, last] = model_.sharedOf(launch.id);
    for (const Object* each = first; each != last; ++each) shared += each->bytes;
    caches_.beginLaunch(launch, shared);
    now_ = {};
    kernel_ = &kernels_[launch.kernel];
  }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    if (countsWavefronts(access.space())) {
      now_.wavefronts += measureRecord(record).wavefronts;
    } else if (countsSectors(access.space())) {
      caches_.add(record, access.site.kind, access.site.number);
    }
  }

  void endLaunch(const Launch& launch) override {
    caches_.endLaunch();
    const double clocksPerUs = gpu_.clockMHz, bytesPerUs = gpu_.dramGBs * 1e3;
    const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    const auto busy = static_cast<double>(std::min<std::uint64_t>(blocks, gpu_.multiprocessors));
    const auto bytes = [](std::uint64_t sectors) { return static_cast<double>(sectors * sectorBytes); };
    const double dram = bytes(now_.traffic.dram) / bytesPerUs;
    const auto l2 = [&](std::uint64_t sectors) {
      return static_cast<double>(sectors) / (busy * l2SectorsPerClock * clocksPerUs);
    };
    const double l2Us = l2(now_.traffic.sectors - now_.traffic.l1Hits);
    const double l1 = static_cast<double>(now_.wavefronts) / (busy * wavefrontsPerClock * clocksPerUs);
    Kernel& kernel = *kernel_;
    ++kernel.launches;
    kernel.traffic += now_.traffic;
    kernel.wavefronts += now_.wavefronts;
    kernel.dramUs += dram;
    kernel.l2Us += l2Us;
    kernel.l1Us += l1;
    kernel.us += std::max({dram, l2Us, l1});
    kernel.uncachedUs += std::max({bytes(now_.traffic.sectors) / bytesPerUs, l2(now_.traffic.sectors), l1});
  }

  void finish(std::vector<Finding>& findings) override {
    for (const auto& [name, kernel] : kernels_) findings.push_back(findingOf(name, kernel));
    stableSort(findings,
               [](const Finding& a, const Finding& b) { return a.numbers[0].second > b.numbers[0].second; });
    Finding note;
    note.verdict = formatted(
        "on %s%s: at least the time of the busiest of DRAM, L2, and L1 with shared memory; "
        "arithmetic, latency and launches are not in it",
        gpu_.title, chosen_ ? "" : " (--gpu chooses another)");
    findings.insert(findings.begin(), std::move(note));
  }

 private:
  void count(std::uint32_t site, const CacheTraffic& traffic) {
    now_.traffic += traffic;
    now_.wavefronts += (traffic.sectors + sectorsPerWavefront - 1) / sectorsPerWavefront;
    if (traffic.dram != 0) kernel_->dramOfSites[site] += traffic.dram;
  }
  Finding findingOf(const std::string& name, const Kernel& kernel) const;

  const TraceModel& model_;
  const GpuPreset& gpu_;
  const bool chosen_;
  CacheSimulation caches_;
  LaunchTraffic now_;
  Kernel* kernel_ = nullptr;
  std::map<std::string, Kernel> kernels_;
};

Finding Prediction::findingOf(const std::string& name, const Kernel& kernel) const {
  Finding finding;
  // The kernel's place in the source is that of the site that moves most.
  auto most = kernel.dramOfSites.begin();
  for (auto each = most; each != kernel.dramOfSites.end(); ++each)
    if (each->second > most->second) most = each;
  if (most != kernel.dramOfSites.end()) static_cast<Place&>(finding) = model_.sites[most->first];
  const char* const busiest = kernel.dramUs >= kernel.l2Us && kernel.dramUs >= kernel.l1Us ? "DRAM"
                              : kernel.l2Us >= kernel.l1Us ? "L2"
                                                           : "L1 and shared memory";
  finding.verdict = formatted(
      "%.120s: %.3g us (DRAM %.3g, L2 %.3g, L1 and shared memory %.3g), bound by %s; without caches %.3g us; "
      "launches: %llu",
      name.c_str(), kernel.us, kernel.dramUs, kernel.l2Us, kernel.l1Us, busiest, kernel.uncachedUs,
      static_cast<unsigned long long>(kernel.launches));
  finding.numbers = {{"predicted_us", kernel.us},
                     {"dram_us", kernel.dramUs},
                     {"l2_us", kernel.l2Us},
                     {"l1_us", kernel.l1Us},
                     {"uncached_us", kernel.uncachedUs},
                     {"launches", static_cast<double>(kernel.launches)},
                     {"sectors", static_cast<double>(kernel.traffic.sectors)},
                     {"l1_hit_sectors", static_cast<double>(kernel.traffic.l1Hits)},
                     {"l2_hit_sectors", static_cast<double>(kernel.traffic.l2Hits)},
                     {"dram_sectors", static_cast<double>(kernel.traffic.dram)},
                     {"wavefronts", static_cast<double>(kernel.wavefronts)}};
  return finding;
}

/// The preset whose name the device's holds: "NVIDIA H200" is h200. Null: none.
const GpuPreset* presetOf(const std::string& device) {
  std::string words;
  for (const char c : device)
    if (std::isalnum(static_cast<unsigned char>(c)))
      words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const GpuPreset* best = nullptr;
  for (const GpuPreset& preset : gpuPresets()) {
    const std::string_view name = preset.name;
    // "L4" is also the beginning of L40.
    const std::size_t at = words.find(name);
    if (at == std::string::npos || (at + name.size() < words.size() &&
                                    std::isdigit(static_cast<unsigned char>(words[at + name.size()]))))
      continue;
    best = &preset;
  }
  return best;
}

}  // namespace

std::unique_ptr<AccessAnalysis> makePrediction(const TraceReader& reader, const TraceModel& model,
                                               const AnalysisOptions& options, Error& error) {
  std::string device;
  error =
      reader.query("SELECT name FROM device WHERE backend = 'cuda' ORDER BY device_id LIMIT 1", [&](Row row) {
        device = asText(row[0]);
        return false;
      });
  if (error) return nullptr;
  const GpuPreset* const traced = presetOf(device);
  const GpuPreset* const gpu = options.gpu ? options.gpu : traced ? traced : findGpuPreset("h100");
  return std::make_unique<Prediction>(model, *gpu, options.gpu != nullptr, options.memoryBytes / 2);
}

}  // namespace cui::db
