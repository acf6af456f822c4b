// races: two threads access the same bytes, at least one writes, and nothing orders them: threads of
// different blocks in one launch, or of different warps of a block with no barrier in between.
#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/launch_barriers.h"
#include "db/analyses/live_objects.h"
#include "db/analyses/paged_cells.h"
#include "db/analyses/race_words.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

using format::Space;

constexpr std::uint64_t checkedBytes = 4;

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
  Races(std::unique_ptr<TraceReader> reader, const TraceModel& model, const AnalysisOptions& options)
      : reader_(std::move(reader)),
        model_(model),
        live_(model),
        global_(options.memoryBytes / 2),
        shared_(sharedMemoryBytes),
        ofWarps_(options.memoryBytes / 4) {}

  void beginLaunch(const Launch& launch) override {
    live_.advance(launch);
    global_.clear();
    shared_.clear();
    sharedBlock_ = 0;
    ofWarps_.clear();
    raise(barriers_.begin(*reader_, launch.id));
    loadWrittenRanges(launch);
  }

  void endLaunch(const Launch&) override {
    overflowed_ = overflowed_ || global_.full();
    blocksGivenUp_ = blocksGivenUp_ || ofWarps_.full();
  }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    const Site& site = access.site;
    if (record.bytes == 0 || (!site.reads() && !site.writes())) return;  // a copy's direction is not known
    const Known known = barriers_.known();
    anyUnknown_ = anyUnknown_ || known == Known::nothing;
    const bool isShared = access.space() == Space::shared;
    if (!isShared &&
        ((access.space() != Space::global && access.space() != Space::generic) || !isWritten(record)))
      return;
    if (isShared && known == Known::ofBlocks) {
      if (record.block != sharedBlock_) shared_.clear();
      sharedBlock_ = record.block;
    }
    const LaunchBarriers::Passed epoch = barriers_.passed(record, access.sequence);
    // Records come block by block, or warp by warp: what a block did before all met may come after what
    // others did then.
    const std::uint64_t phase = std::uint64_t{epoch.ofGrid % Actor::gridEpochs} << phaseShift;
    if (!isShared)
      lanes(access, epoch, known == Known::ofBlocks,
            [&](std::uint64_t word) { return global_.make(word | phase); });
    else if (known == Known::ofBlocks)
      lanes(access, epoch, true, [&](std::uint64_t word) { return shared_.make(word); });
    if (known == Known::ofWarps)
      lanes(access, epoch, true,
            [&](std::uint64_t word) { return ofWarps_.make(record.block, epoch.all, word, isShared); });
  }

  void finish(std::vector<Finding>& findings) override;

 private:
  using Known = LaunchBarriers::Known;
  using Key = std::tuple<std::uint32_t, std::uint32_t, Scope>;  // the writing site first
  static constexpr std::uint64_t sharedMemoryBytes = 64 << 20;
  static constexpr unsigned phaseShift = 46;  ///< above any word's number

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
    raise(reader_->query(sql, row, {&id, 1}));
  }
  static void raise(const Error& error) {
    if (error) throw std::runtime_error(error.message);  // ends the pass: no race is missed in silence
  }

  bool isWritten(const AccessRecord& record) const {
    const Span span = spanOf(record);
    return std::any_of(written_.begin(), written_.end(),
                       [&](const Span& range) { return span.low < range.high && span.high > range.low; });
  }

  /// `find`: the word's cell, null once the memory for them is used up. `within`: also conflicts of a block's
  /// warps.
  template <class Find>
  void lanes(const Access& access, LaunchBarriers::Passed epoch, bool within, const Find& find) {
    const AccessRecord& record = access.record;
    within_ = within;
    Actor actor;
    actor.block = record.block;
    actor.site = access.site.number;
    actor.epoch = epoch.all;
    actor.gridEpoch = epoch.ofGrid % Actor::gridEpochs;
    actor.atomic = access.site.kind == format::Kind::atomic ? 1 : 0;
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      actor.thread = record.warp * format::lanesPerWarp + lane;
      const std::uint64_t begin = record.lane[lane], end = begin + record.bytes;
      bool noted = false;
      for (std::uint64_t word = begin / checkedBytes; word * checkedBytes < end; ++word) {
        Word* const cell = find(word);
        if (!cell) return;
        const std::uint64_t from = std::max(begin, word * checkedBytes) % checkedBytes;
        const std::uint64_t to = std::min(end, (word + 1) * checkedBytes) - word * checkedBytes;
        actor.bytes = (1u << to) - (1u << from);
        noted = visit(access, *cell, actor, begin, noted);
      }
    }
  }

  /// True if the access is counted already.
  bool visit(const Access& access, Word& word, const Actor& actor, std::uint64_t address, bool noted) {
    if (!noted && conflict(word.writer, actor)) {
      note(access, word.writer, actor, access.site.writes(), address);
      noted = true;
    }
    for (const Actor& reader : word.readers) {
      if (noted || !access.site.writes() || !conflict(reader, actor)) continue;
      note(access, reader, actor, false, address);
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
    return within_ && before.warp() != now.warp() && before.epoch == now.epoch;
  }

  void note(const Access& access, const Actor& before, const Actor& now, bool bothWrite,
            std::uint64_t address) {
    const bool isShared = access.space() == Space::shared;
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

  const std::unique_ptr<TraceReader> reader_;
  const TraceModel& model_;
  bool within_ = false, atomics_ = false;
  bool anyUnknown_ = false, overflowed_ = false, blocksGivenUp_ = false;
  LiveObjects live_;
  PagedCells<Word, 256> global_, shared_;
  std::uint32_t sharedBlock_ = 0;
  BlockWords ofWarps_;
  LaunchBarriers barriers_;
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
  if (anyUnknown_)
    say("barriers were not recorded (on a GPU CUINSTRUMENT_BARRIERS=on does), or not in order with all "
        "accesses: races within a block were not looked for");
  if (blocksGivenUp_)
    say("races within a block were looked for in the first blocks of each launch only, for want of memory");
  if (overflowed_) say("races between blocks were looked for only until the memory for it was used up");
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeRaces(const TraceReader& reader, const TraceModel& model,
                                          const AnalysisOptions& options, Error& error) {
  std::unique_ptr<TraceReader> own = TraceReader::open(reader.path(), error);
  return error ? nullptr : std::make_unique<Races>(std::move(own), model, options);
}

}  // namespace cui::db
