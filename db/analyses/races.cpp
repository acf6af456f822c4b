// races: two threads access the same bytes, at least one writes, and nothing orders them: threads of
// different blocks in one launch, or of different warps of a block with no barrier in between.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/live_objects.h"
#include "db/analyses/paged_cells.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

using format::Space;

constexpr std::uint64_t wordBytes = 4;

/// One side of a conflict: who accessed a word last.
struct Actor {
  std::uint32_t block = 0, site = 0, epoch = 0;  ///< epoch: barriers its block had passed
  std::uint32_t gridEpoch : 17 = 0;              ///< of these, where all blocks met
  std::uint32_t thread : 10 = 0;                 ///< linear, in its block
  std::uint32_t bytes : 4 = 0;                   ///< which of the word's four; 0: nobody
  std::uint32_t atomic : 1 = 0;

  std::uint32_t warp() const { return thread / format::lanesPerWarp; }
  bool sameWarp(const Actor& other) const { return block == other.block && warp() == other.warp(); }
};

struct Word {
  Actor writer;
  std::array<Actor, 2> readers;  ///< of different warps: a writer is at most one of them
  void read(const Actor& actor) {
    if (readers[0].bytes != 0 && !readers[0].sameWarp(actor)) readers[1] = readers[0];
    readers[0] = actor;
  }
};

enum class Scope { blocks, warps };

struct Pair {
  std::uint64_t accesses = 0;
  std::int64_t launchId = 0;
  std::string first, second;  ///< example threads
  std::string object;
  bool shared = false, bothWrite = false, atomicsAround = false;
};

class Races : public AccessAnalysis {
 public:
  /// `reader`: its own, since the pass over the accesses reads on another thread.
  Races(std::unique_ptr<TraceReader> reader, const TraceModel& model, const AnalysisOptions& options,
        bool barriersKnown)
      : reader_(std::move(reader)),
        model_(model),
        barriersKnown_(barriersKnown),
        live_(model),
        global_(options.memoryBytes / 2),
        shared_(sharedMemoryBytes) {}

  void beginLaunch(const Launch& launch) override {
    live_.advance(launch);
    global_.clear();
    shared_.clear();
    sharedBlock_ = 0;
    if (barriersKnown_) loadBarriers(launch);
    loadWrittenRanges(launch);
  }

  void endLaunch(const Launch&) override { overflowed_ = overflowed_ || global_.full(); }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    const Site& site = access.site;
    if (record.bytes == 0 || (!site.reads() && !site.writes())) return;  // a copy's direction is not known
    if (access.space() == Space::shared) {
      if (barriersKnown_) lanes(access, shared_, /*isShared=*/true);
    } else if (access.space() == Space::global || access.space() == Space::generic) {
      if (isWritten(record)) lanes(access, global_, /*isShared=*/false);
    }
  }

  void finish(std::vector<Finding>& findings) override;

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, Scope>;  // the writing site first
  static constexpr std::uint64_t sharedMemoryBytes = 64 << 20;

  void loadBarriers(const Launch& launch) {
    barriers_.clear();
    // The block's own order is that of `sequence`.
    query("SELECT block, sequence, grid FROM barrier WHERE launch_id = ? ORDER BY block, sequence", launch,
          [this](Row row) {
            barriers_[static_cast<std::uint32_t>(asInteger(row[0]))].places.push_back(
                {static_cast<std::uint64_t>(asInteger(row[1])), asInteger(row[2]) != 0});
            return true;
          });
  }

  /// Only what some site of the launch writes can take part in a race.
  void loadWrittenRanges(const Launch& launch) {
    written_.clear();
    atomics_ = false;
    query(
        "SELECT min_address, max_address, kind FROM site_metric JOIN site USING(site_id) "
        "WHERE launch_id = ? AND kind <> 'load' ORDER BY min_address",
        launch, [this](Row row) {
          written_.push_back({static_cast<std::uint64_t>(asInteger(row[0])),
                              static_cast<std::uint64_t>(asInteger(row[1])) + 1});
          atomics_ = atomics_ || asText(row[2]) == "atomic";
          return true;
        });
  }

  void query(const char* sql, const Launch& launch, const RowCallback& row) {
    const Value id = launch.id;
    const Error error = reader_->query(sql, row, {&id, 1});
    if (error) throw std::runtime_error(error.message);  // ends the pass: no race is missed in silence
  }

  bool isWritten(const AccessRecord& record) const {
    const Span span = spanOf(record);
    return std::any_of(written_.begin(), written_.end(),
                       [&](const Span& range) { return span.low < range.high && span.high > range.low; });
  }

  void setEpochs(Actor& actor, std::uint64_t sequence) {
    const auto found = barriers_.find(actor.block);
    if (found == barriers_.end()) return;
    Barriers& barriers = found->second;
    for (; barriers.passed < barriers.places.size(); ++barriers.passed) {
      const auto& [place, ofGrid] = barriers.places[barriers.passed];
      if (place > sequence) break;
      barriers.ofGrid += ofGrid ? 1 : 0;
    }
    actor.epoch = barriers.passed;
    actor.gridEpoch = barriers.ofGrid % (1u << 17);
  }

  void lanes(const Access& access, PagedCells<Word, 256>& memory, bool isShared) {
    const AccessRecord& record = access.record;
    if (isShared && record.block != sharedBlock_) {
      memory.clear();
      sharedBlock_ = record.block;
    }
    Actor actor;
    actor.block = record.block;
    actor.site = access.site.number;
    if (barriersKnown_) setEpochs(actor, access.sequence);
    actor.atomic = access.site.kind == format::Kind::atomic ? 1 : 0;
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      actor.thread = record.warp * format::lanesPerWarp + lane;
      const std::uint64_t begin = record.lane[lane], end = begin + record.bytes;
      bool noted = false;
      for (std::uint64_t word = begin / wordBytes; word * wordBytes < end; ++word) {
        Word* const cell = memory.make(word);
        if (!cell) return;
        const std::uint64_t from = std::max(begin, word * wordBytes) % wordBytes;
        const std::uint64_t to = std::min(end, (word + 1) * wordBytes) - word * wordBytes;
        actor.bytes = (1u << to) - (1u << from);
        noted = visit(access, *cell, actor, isShared, begin, noted);
      }
    }
  }

  /// True if the access is counted already.
  bool visit(const Access& access, Word& word, const Actor& actor, bool isShared, std::uint64_t address,
             bool noted) {
    if (!noted && conflict(word.writer, actor)) {
      note(access, word.writer, actor, access.site.writes(), isShared, address);
      noted = true;
    }
    for (const Actor& reader : word.readers) {
      if (noted || !access.site.writes() || !conflict(reader, actor)) continue;
      note(access, reader, actor, false, isShared, address);
      noted = true;
    }
    if (access.site.writes()) {
      word.writer = actor;
      word.readers = {};  // who conflicts with them from now on conflicts with this writer too
    } else {
      word.read(actor);
    }
    return noted;
  }

  bool conflict(const Actor& before, const Actor& now) const {
    if ((before.bytes & now.bytes) == 0 || (before.atomic && now.atomic)) return false;
    if (before.block != now.block) return before.gridEpoch == now.gridEpoch;
    return barriersKnown_ && before.warp() != now.warp() && before.epoch == now.epoch;
  }

  void note(const Access& access, const Actor& before, const Actor& now, bool bothWrite, bool isShared,
            std::uint64_t address) {
    const Site& other = model_.sites[before.site];
    const bool nowFirst = access.site.writes() && !(bothWrite && other.writes());
    const Scope scope = before.block == now.block ? Scope::warps : Scope::blocks;
    std::uint32_t first = nowFirst ? now.site : before.site, second = nowFirst ? before.site : now.site;
    if (bothWrite && second < first) std::swap(first, second);
    Pair& pair = pairs_[{first, second, scope}];
    pair.atomicsAround = pair.atomicsAround || atomics_;
    if (pair.accesses++ != 0) return;
    pair.launchId = access.launch.id;
    pair.shared = isShared;
    pair.bothWrite = bothWrite;
    const auto name = [&](const Actor& actor) {
      return threadName(access.launch, actor.block, actor.warp(), actor.thread % format::lanesPerWarp);
    };
    pair.first = name(first == now.site ? now : before);
    pair.second = name(first == now.site ? before : now);
    const Object* const object = isShared ? nullptr : live_.find(address);
    pair.object = object && !object->name.empty() ? object->name : access.site.base;
  }

  struct Barriers {
    std::vector<std::pair<std::uint64_t, bool>> places;  ///< sequence, and whether all blocks met
    std::uint32_t passed = 0, ofGrid = 0;
  };

  const std::unique_ptr<TraceReader> reader_;
  const TraceModel& model_;
  bool barriersKnown_, atomics_ = false, overflowed_ = false;
  LiveObjects live_;
  PagedCells<Word, 256> global_, shared_;
  std::uint32_t sharedBlock_ = 0;
  std::unordered_map<std::uint32_t, Barriers> barriers_;
  std::vector<Span> written_;
  std::map<Key, Pair> pairs_;
};

void Races::finish(std::vector<Finding>& findings) {
  std::vector<std::pair<std::uint64_t, Finding>> all;
  for (const auto& [key, pair] : pairs_) {
    const auto& [first, second, scope] = key;
    Finding finding;
    static_cast<Place&>(finding) = model_.sites[first];
    if (first != second) finding.related.push_back(model_.sites[second]);
    finding.wrong = true;
    // Blocks that hand over work by an atomic flag are ordered in a way the trace does not show.
    finding.severity = scope == Scope::blocks && pair.atomicsAround ? Finding::Severity::warning
                                                                    : Finding::Severity::problem;
    const char* const who = scope == Scope::blocks ? "different blocks" : "different warps of a block";
    finding.verdict = std::string("race: ") + who +
                      (pair.bothWrite ? " write the same bytes of " : " write and read the same bytes of ") +
                      pair.object +
                      (scope == Scope::blocks ? " in one launch" : " with no barrier in between");
    finding.why =
        formatted("which comes first is chance; %llu thread accesses; first in launch %lld: ",
                  static_cast<unsigned long long>(pair.accesses), static_cast<long long>(pair.launchId)) +
        pair.first + " and " + pair.second;
    if (scope == Scope::warps)
      finding.suggestion = "put __syncthreads() between the two";
    else if (pair.atomicsAround)
      finding.suggestion =
          "make sure that the kernel's atomics order them (with __threadfence), or use two launches";
    else
      finding.suggestion =
          "give each block elements of its own, use an atomic, or use two launches: only the end of a "
          "launch and grid.sync() order blocks";
    finding.numbers = {{"accesses", static_cast<double>(pair.accesses)}};
    all.emplace_back(pair.accesses, std::move(finding));
  }
  stableSort(all, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& each : all) findings.push_back(std::move(each.second));
  const auto say = [&findings](const char* text) {
    Finding note;
    note.verdict = text;
    findings.push_back(std::move(note));
  };
  if (!barriersKnown_)
    say("barriers were not recorded (the CPU backend does): races within a block were not looked for");
  if (overflowed_) say("races between blocks were looked for only until the memory for it was used up");
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeRaces(const TraceReader& reader, const TraceModel& model,
                                          const AnalysisOptions& options, Error& error) {
  const bool barriersKnown =
      reader.integer(
          "SELECT (SELECT count(*) FROM process WHERE backend = 'cpu') > 0 AND NOT EXISTS (SELECT 1 FROM "
          "trace_stat WHERE name = 'barriers_not_kept')",
          error) != 0;
  if (error) return nullptr;
  std::unique_ptr<TraceReader> own = TraceReader::open(reader.path(), error);
  return error ? nullptr : std::make_unique<Races>(std::move(own), model, options, barriersKnown);
}

}  // namespace cui::db
