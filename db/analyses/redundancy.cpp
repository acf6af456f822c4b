// redundancy: words that a launch loads again and again, and stores that are overwritten before anything
// reads them, or that write what is there already.
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "db/analyses/access_analysis.h"
#include "db/analyses/paged_cells.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/analyses/weights.h"

namespace cui::db {

namespace {

using format::Space;

constexpr std::uint64_t comparedBytes = 4;

/// What happened to a word of global memory last, in this launch.
struct Word {
  std::uint64_t loadSequence = 0;
  std::uint32_t loadBlock = 0, storeSite = 0, value = 0;
  std::uint8_t loadWarp = 0;
  bool loaded = false, stored = false, readSinceStore = false, valueKnown = false;
};

struct WordCounts {
  std::uint64_t requests = 0, lastSequence = ~std::uint64_t{0};          ///< of the loads
  std::uint64_t loads = 0, sameWarp = 0, sameBlock = 0, otherBlock = 0;  ///< words, once for each request
  std::uint64_t stores = 0, dead = 0;                                    ///< words
  std::uint64_t compared = 0, silent = 0;                                ///< of the stores with values
};

class Redundancy : public AccessAnalysis {
 public:
  Redundancy(const TraceModel& model, Weights weights, const AnalysisOptions& options)
      : model_(model), weights_(std::move(weights)), words_(options.memoryBytes / 2) {}

  void beginLaunch(const Launch&) override { words_.clear(); }
  void endLaunch(const Launch&) override { overflowed_ = overflowed_ || words_.full(); }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    const Space space = access.space();
    // Parts of words say nothing about the word.
    if ((space != Space::global && space != Space::generic) || record.bytes == 0 ||
        record.bytes % comparedBytes != 0)
      return;
    WordCounts& counts = counts_[access.site.number];
    const std::uint8_t* value = record.values;
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      const std::uint64_t begin = record.lane[static_cast<std::size_t>(std::countr_zero(rest))];
      for (std::uint32_t done = 0; done < record.bytes; done += comparedBytes) {
        Word* const word = words_.make((begin + done) / comparedBytes);
        if (!word) return;
        if (access.site.writes())
          store(access, counts, *word, value ? value + done : nullptr);
        else if (access.site.reads())
          load(access, counts, *word, value ? value + done : nullptr);
        else
          *word = {};  // a copy may do either
      }
      if (value) value += record.bytes;
    }
  }

  void finish(std::vector<Finding>& findings) override;

 private:
  static void load(const Access& access, WordCounts& counts, Word& word, const std::uint8_t* value) {
    const AccessRecord& record = access.record;
    word.readSinceStore = true;
    if (counts.lastSequence != access.sequence) {
      counts.lastSequence = access.sequence;
      ++counts.requests;
    }
    if (value) remember(word, value);
    const bool first = !word.loaded;
    if (!first && word.loadSequence == access.sequence) return;  // another lane of the request: a broadcast
    ++counts.loads;
    if (!first) {
      if (word.loadBlock != record.block)
        ++counts.otherBlock;
      else if (word.loadWarp != record.warp)
        ++counts.sameBlock;
      else
        ++counts.sameWarp;
    }
    word.loaded = true;
    word.loadSequence = access.sequence;
    word.loadBlock = record.block;
    word.loadWarp = static_cast<std::uint8_t>(record.warp);
  }

  void store(const Access& access, WordCounts& counts, Word& word, const std::uint8_t* value) {
    ++counts.stores;
    const bool readsToo = access.site.reads();
    if (word.stored && !word.readSinceStore && !readsToo) ++counts_[word.storeSite].dead;
    if (value && word.valueKnown && !readsToo) {
      ++counts.compared;
      counts.silent += std::memcmp(&word.value, value, comparedBytes) == 0;
    }
    word.stored = true;
    word.storeSite = access.site.number;
    word.readSinceStore = false;
    word.loaded = false;  // what is loaded from now on is new
    word.valueKnown = false;
    if (value && !readsToo) remember(word, value);
  }

  static void remember(Word& word, const std::uint8_t* value) {
    std::memcpy(&word.value, value, comparedBytes);
    word.valueKnown = true;
  }

  const TraceModel& model_;
  const Weights weights_;
  PagedCells<Word> words_;
  std::map<std::uint32_t, WordCounts> counts_;
  bool overflowed_ = false;
};

double percentOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// A part of the site's accesses is for nothing. L1 and L2 take most of what that costs: no problem.
void weighPart(const Weights& weights, std::uint64_t part, std::uint64_t whole, Finding& finding) {
  weights.weighCost(
      finding, weights.of(finding.siteId).ownCost * static_cast<double>(part) / static_cast<double>(whole));
  finding.severity = std::min(finding.severity, Finding::Severity::warning);
}

void judgeLoads(const Site& site, const WordCounts& counts, const Weights& weights,
                std::vector<Finding>& findings) {
  const std::uint64_t again = counts.sameWarp + counts.sameBlock + counts.otherBlock;
  if (again * 2 < counts.loads || again == 0) return;
  Finding finding;
  static_cast<Place&>(finding) = site;
  // A word that all of a warp want costs as much from shared memory as it does from L1.
  const bool uniform = counts.loads == counts.requests;
  const std::uint64_t near = counts.sameWarp + (uniform ? 0 : counts.sameBlock);
  if (near * 2 >= counts.loads) weighPart(weights, near, counts.loads, finding);
  finding.verdict = formatted(
      "redundant loads: %.0f %% of the words were loaded before (%.0f %% by the same warp, %.0f %% by "
      "its block, %.0f %% by another block)",
      percentOf(again, counts.loads), percentOf(counts.sameWarp, counts.loads),
      percentOf(counts.sameBlock, counts.loads), percentOf(counts.otherBlock, counts.loads));
  finding.why = formatted("%llu words are requested, %llu for the first time since they were written",
                          static_cast<unsigned long long>(counts.loads),
                          static_cast<unsigned long long>(counts.loads - again));
  if (counts.sameWarp >= counts.sameBlock && counts.sameWarp >= counts.otherBlock)
    finding.suggestion =
        "keep the value in a register from the first load on; what another thread of the warp loaded, a "
        "shuffle "
        "hands over";
  else if (uniform)
    finding.suggestion =
        "a kernel argument or constant memory serves a value that all threads of a warp read";
  else if (counts.sameBlock >= counts.otherBlock)
    finding.suggestion = "load it once for the block, into shared memory";
  else
    finding.suggestion = "blocks share it through L2: larger tiles, or constant memory, make it fewer loads";
  finding.numbers = {{"loads", static_cast<double>(counts.loads)},
                     {"same_warp", static_cast<double>(counts.sameWarp)},
                     {"same_block", static_cast<double>(counts.sameBlock)},
                     {"other_block", static_cast<double>(counts.otherBlock)}};
  findings.push_back(std::move(finding));
}

void judgeStores(const Site& site, const WordCounts& counts, const Weights& weights,
                 std::vector<Finding>& findings) {
  const auto add = [&](std::uint64_t count, std::uint64_t whole, const char* what, const char* suggestion,
                       const char* number) {
    if (count == 0 || count * 2 < whole) return;
    Finding finding;
    static_cast<Place&>(finding) = site;
    weighPart(weights, count, whole, finding);
    finding.verdict = formatted("%s: %llu of %llu words", what, static_cast<unsigned long long>(count),
                                static_cast<unsigned long long>(whole));
    finding.why = "a store takes as much bandwidth whether or not it changes anything";
    finding.suggestion = suggestion;
    finding.numbers = {{number, static_cast<double>(count)}, {"stores", static_cast<double>(whole)}};
    findings.push_back(std::move(finding));
  };
  add(counts.dead, counts.stores, "dead stores, overwritten in the same launch before anything reads them",
      "keep the value in a register and store it once", "dead_stores");
  add(counts.silent, counts.compared, "silent stores, of the value that is there already",
      "compare first, or leave out the store", "silent_stores");
}

void Redundancy::finish(std::vector<Finding>& findings) {
  for (const auto& [number, counts] : counts_) {
    judgeLoads(model_.sites[number], counts, weights_, findings);
    judgeStores(model_.sites[number], counts, weights_, findings);
  }
  stableSort(findings,
             [](const Finding& a, const Finding& b) { return a.numbers[0].second > b.numbers[0].second; });
  if (!overflowed_) return;
  Finding note;
  note.verdict =
      "looked for only until the memory for it was used up: later words of large launches are not counted";
  findings.push_back(std::move(note));
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeRedundancy(const TraceReader& reader, const TraceModel& model,
                                               const AnalysisOptions& options, Error& error) {
  Weights weights;
  error = Weights::load(reader, weights);
  return std::make_unique<Redundancy>(model, std::move(weights), options);
}

}  // namespace cui::db
