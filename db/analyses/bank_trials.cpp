// See bank_trials.h.
#include "db/analyses/bank_trials.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "db/analyses/access_scan.h"
#include "db/analyses/address_change.h"
#include "db/analyses/site_patterns.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

constexpr std::uint64_t warpWordsBytes = 128;  // 32 banks of 4 bytes

struct Candidate {
  AddressChange change;
  std::string advice;
  std::uint64_t extraBytes = 0;
};

/// `float tile[32][33]`, with the last dimension changed.
std::string declaration(const Object& object, const std::vector<std::uint64_t>& dimensions,
                        std::uint64_t last) {
  std::string text = object.type.substr(0, object.type.find('[')) + " " + object.name;
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    text += "[" + std::to_string(i + 1 < dimensions.size() ? dimensions[i] : last) + "]";
  return text;
}

/// What a programmer could do, simplest first.
std::vector<Candidate> candidatesFor(const Object& object, std::uint32_t accessBytes) {
  std::vector<Candidate> candidates;
  const auto add = [&](AddressChange change, std::string advice) {
    const std::uint64_t after = change.bytesAfter(object.bytes);
    candidates.push_back({std::move(change), std::move(advice), after - object.bytes});
  };
  const std::uint64_t element = object.elementBytes != 0 ? object.elementBytes : accessBytes;
  const std::vector<std::uint64_t> dimensions = dimensionsOf(object.type);
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : dimensions) elements *= extent;
  if (dimensions.size() >= 2 && elements * element == object.bytes) {
    const std::uint64_t columns = dimensions.back();
    for (const std::uint64_t pad : {1u, 2u, 4u})
      add(AddressChange::padRows(columns * element, pad * element),
          (pad == 1 ? std::string("pad each row by one element: ")
                    : "pad each row by " + std::to_string(pad) + " elements: ") +
              declaration(object, dimensions, columns + pad));
    if (std::has_single_bit(columns) && columns > 1)
      add(AddressChange::swizzleRows(columns * element, element), "swizzle: access column c of row r at " +
                                                                      object.name + "[r][c ^ (r % " +
                                                                      std::to_string(columns) + ")]");
    return candidates;
  }
  const std::uint64_t perRow = std::max<std::uint64_t>(1, warpWordsBytes / element);
  add(AddressChange::padRows(perRow * element, element),
      "leave out one element of " + object.name + " after every " + std::to_string(perRow) +
          " (index i + i / " + std::to_string(perRow) + ")");
  return candidates;
}

/// All accesses to one declaration, over the launches; its candidates are the same in each.
struct Tried {
  const Object* object = nullptr;
  std::vector<Candidate> candidates;
  struct PerSite {
    std::uint64_t requests = 0, wavefronts = 0;
    std::vector<std::uint64_t> after;  // by candidate
  };
  std::map<std::int64_t, PerSite> sites;
};

class Trial : public AccessVisitor {
 public:
  explicit Trial(const TraceModel& model) : model_(model) {}

  void beginLaunch(const Launch& launch) override { variables_ = model_.sharedOf(launch.id); }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    if (access.space() != format::Space::shared || record.bytes == 0) return;
    const Object* const object = find(record.address);
    if (!object) return;
    Tried& tried = variables[{object->id, object->bytes}];
    if (!tried.object) {
      tried.object = object;
      tried.candidates = candidatesFor(*object, record.bytes);
    }
    Tried::PerSite& site = tried.sites[access.site.siteId];
    site.after.resize(tried.candidates.size());
    ++site.requests;
    site.wavefronts += measureRecord(record).wavefronts;
    for (std::size_t i = 0; i < tried.candidates.size(); ++i) {
      std::uint32_t pieces = 0;
      site.after[i] += measureChanged(record, tried.candidates[i].change, object->address, object->bytes,
                                      object->address, pieces)
                           .wavefronts;
    }
  }

  std::map<std::pair<std::int64_t, std::uint64_t>, Tried> variables;  // by declaration and size

 private:
  const Object* find(std::uint64_t address) const {
    for (const Object* each = variables_.first; each != variables_.second; ++each)
      if (each->holds(address)) return each;
    return nullptr;
  }
  const TraceModel& model_;
  std::pair<const Object*, const Object*> variables_;
};

BankTrial best(const Tried& tried) {
  BankTrial trial;
  trial.variable = tried.object->name;
  std::vector<std::uint64_t> totals(tried.candidates.size());
  for (const auto& [siteId, site] : tried.sites) {
    trial.requests += site.requests;
    trial.wavefronts += site.wavefronts;
    for (std::size_t i = 0; i < totals.size(); ++i) totals[i] += site.after[i];
  }
  trial.wavefrontsAfter = trial.wavefronts;
  const auto chosen = std::min_element(totals.begin(), totals.end());  // the simplest of equals
  if (chosen == totals.end() || *chosen >= trial.wavefronts) return trial;
  const auto index = static_cast<std::size_t>(chosen - totals.begin());
  trial.advice = tried.candidates[index].advice;
  trial.extraBytes = tried.candidates[index].extraBytes;
  trial.wavefrontsAfter = *chosen;
  for (const auto& [siteId, site] : tried.sites)
    trial.sites[siteId] = {site.requests, site.wavefronts, site.after[index]};
  return trial;
}

}  // namespace

Error tryBankChanges(const TraceReader& reader, const TraceModel& model,
                     const std::set<std::int64_t>& siteIds, std::vector<BankTrial>& trials) {
  // A variable's other accesses count too: what helps one may hurt the next.
  std::set<std::int64_t> shared;
  Error error =
      reader.query("SELECT DISTINCT site_id FROM site_metric WHERE wavefront_requests > 0", [&](Row row) {
        shared.insert(asInteger(row[0]));
        return true;
      });
  if (error) return error;
  ScanOptions options;
  options.maxRecords = trialRecords;
  for (const Site& site : model.sites)
    if (shared.count(site.siteId) != 0) options.siteNumbers.push_back(site.number);
  if (options.siteNumbers.empty()) return {};
  Trial trial(model);
  std::uint64_t scanned = 0;
  error = scanAccesses(reader, model, options, {&trial}, scanned);
  if (error) return error;
  for (const auto& [key, tried] : trial.variables) {
    const bool asked = std::any_of(tried.sites.begin(), tried.sites.end(),
                                   [&](const auto& site) { return siteIds.count(site.first) != 0; });
    if (!asked) continue;
    trials.push_back(best(tried));
    if (trials.back().advice.empty())  // the sites, so that a finding knows that its variable was tried
      for (const auto& [siteId, site] : tried.sites)
        trials.back().sites[siteId] = {site.requests, site.wavefronts, site.wavefronts};
  }
  return {};
}

}  // namespace cui::db
