#include "hostlib/drain.h"

#include <algorithm>
#include <span>
#include <utility>

#include "db/store/signals_blocked.h"

namespace cui::hostlib {
namespace {

using namespace std::chrono_literals;

/// Pause between looks at an idle ring: short at first, as kernels come in bursts.
constexpr std::chrono::nanoseconds shortPause = 20us, longPause = 1ms;

/// Chunks between two looks at what else there is to do; some 500,000 records.
constexpr std::size_t chunksPerPoll = 4096;

}  // namespace

Drain::Drain(std::unique_ptr<RecordSink> sink, const UnitRegistry& units,
             std::function<std::uint64_t()> newLaunchId, const DrainSettings& settings,
             std::function<void(const std::string&)> onFailure)
    : sink_(std::move(sink)),
      router_(*sink_, units, std::move(newLaunchId), settings.holdBytes, settings.selection,
              settings.untilNs),
      settings_(settings),
      onFailure_(std::move(onFailure)),
      queue_(settings.queueBytes),
      thread_(db::threadWithoutSignals([this] { run(); })) {}

Drain::~Drain() {
  if (thread_.joinable()) close();
}

void Drain::push(Event event) {
  if (!queue_.push(std::move(event), settings_.patience)) dropped_.fetch_add(1, std::memory_order_relaxed);
}

std::vector<std::shared_ptr<Drain::Ring>> Drain::rings() const {
  const std::lock_guard lock(mutex_);
  return rings_;
}

std::vector<std::shared_ptr<ChunkReader>> Drain::chunkReaders() const {
  const std::lock_guard lock(mutex_);
  return chunks_;
}

void Drain::attachRing(const CuiRing& ring) {
  {
    const std::lock_guard lock(mutex_);
    rings_.push_back(std::make_shared<Ring>(ring));
  }
  queue_.wake();
}

std::uint64_t Drain::drainRing(const CuiRing& ring, std::uint64_t produced, std::chrono::nanoseconds timeout,
                               bool last) {
  std::shared_ptr<Ring> found;
  for (const auto& candidate : rings())
    if (candidate->reader.slots() == ring.slots) found = candidate;
  if (found == nullptr) return 0;
  const auto done = [&] { return found->reader.consumed() >= produced || closed_; };
  queue_.wake();
  {
    std::unique_lock lock(mutex_);
    if (!progress_.wait_for(lock, timeout, done)) {
      found->skipBelow.store(produced, std::memory_order_relaxed);
      progress_.wait_for(lock, std::min<std::chrono::nanoseconds>(timeout, 1s), done);
    }
    if (last) {
      found->gone = true;
      std::erase(rings_, found);
    }
  }
  if (found->reader.consumed() >= produced) push(SettleEvent{ring.device});
  if (last) found->reader.detach();
  return found->reader.consumed();
}

void Drain::attachChunks(const CuiChunks& chunks) {
  auto reader = std::make_shared<ChunkReader>(chunks);
  {
    const std::lock_guard lock(mutex_);
    chunks_.push_back(std::move(reader));
  }
  queue_.wake();
}

bool Drain::detachChunks(std::int32_t device) {
  const auto attached = [&] {
    return std::any_of(chunks_.begin(), chunks_.end(),
                       [device](const auto& reader) { return reader->device() == device; });
  };
  {
    const std::lock_guard lock(mutex_);
    if (!attached() || closed_) return true;
  }
  push(DetachChunksEvent{device});
  std::unique_lock lock(mutex_);
  return progress_.wait_for(lock, settings_.patience, [&] { return !attached() || closed_; });
}

void Drain::flush() {
  std::unique_lock lock(mutex_);
  if (Clock::now() - lastCommit_ < settings_.flushInterval) return;  // the next one comes by itself, soon
  // What was pushed before this call is read by the next round that begins: the one after the current.
  const std::uint64_t round = round_ + 2;
  flushRequested_ = std::max(flushRequested_, round);
  lock.unlock();
  queue_.wake();
  lock.lock();
  progress_.wait_for(lock, settings_.patience, [&] { return committedRound_ >= round || closed_; });
}

std::map<std::string, std::int64_t> Drain::losses() const {
  std::map<std::string, std::int64_t> all = router_.losses();
  for (const auto& [name, value] : sink_->losses()) all[name] = value;  // it has been told the router's
  return all;
}

bool Drain::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  queue_.wake();
  const auto workDone = [this] { return slotsWritten() + sink_->workDone(); };
  std::unique_lock lock(mutex_);
  for (;;) {
    const std::uint64_t round = round_, done = workDone();
    if (progress_.wait_for(lock, settings_.patience + settings_.grace, [this] { return closed_; })) break;
    if (round_ == round && workDone() == done) {
      lock.unlock();
      thread_.detach();  // stuck in the file system; the process is about to end
      return false;
    }
  }
  lock.unlock();
  thread_.join();
  return true;
}

void Drain::run() {
  std::chrono::nanoseconds pause = shortPause;
  std::optional<Clock::time_point> closingSince;
  dealer_ = std::make_unique<ChunkDealer>(settings_.readers);
  for (;;) {
    bool flushWanted = false, flushDue = false, haveRings = false;
    {
      const std::lock_guard lock(mutex_);
      if (closing_ && !closingSince) closingSince = Clock::now();
      haveRings = !rings_.empty() || !chunks_.empty();
      flushWanted = flushRequested_ > committedRound_;
      flushDue = flushWanted && flushRequested_ <= round_ + 1;
    }
    std::chrono::nanoseconds wait = haveRings ? pause : dirty_ ? settings_.flushInterval : 1s;
    if (closingSince || flushWanted) wait = 0ns;
    bool worked = handleEvents(wait);
    worked |= pollRings();
    worked |= pollChunks(flushDue);
    pause = worked ? shortPause : std::min(pause * 2, longPause);
    if (flushDue || (dirty_ && Clock::now() - lastCommit_ >= settings_.flushInterval))
      commit(!worked || flushDue);
    noteProgress();
    // A kernel that never ends may go on writing.
    if (closingSince && (!worked || Clock::now() - *closingSince > settings_.patience)) break;
  }
  if (const std::uint64_t dropped = dropped_.load(std::memory_order_relaxed))
    router_.handle(StatEvent{"events_dropped", "data_loss", static_cast<std::int64_t>(dropped), 0,
                             "the queue was full for longer than CUINSTRUMENT_WAIT_MS"});
  dealer_.reset();  // its threads end, which have nothing to do
  router_.finish();
  sink_->close();
  commit(true);
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  progress_.notify_all();
}

bool Drain::handleEvents(std::chrono::nanoseconds wait) {
  queue_.take(eventBuffer_, wait);
  for (const Event& event : eventBuffer_) {
    if (const auto* records = std::get_if<RecordsEvent>(&event))
      slots_.fetch_add(records->slots.size(), std::memory_order_relaxed);
    else if (const auto* open = std::get_if<OpenChunksEvent>(&event))
      handle(*open);
    else if (const auto* detached = std::get_if<DetachChunksEvent>(&event))
      handle(*detached);
    router_.handle(event);
  }
  const bool worked = !eventBuffer_.empty();
  eventBuffer_.clear();
  dirty_ |= worked;
  return worked;
}

bool Drain::pollRings() {
  bool worked = false;
  for (const auto& ring : rings()) {
    router_.attachRing(ring->reader.device());
    worked |= pollRing(*ring);
  }
  return worked;
}

/// All that is there, once around at most: before chunks are read, whose kernels may be announced behind
/// much else.
bool Drain::pollRing(Ring& ring) {
  std::uint64_t taken = 0;
  while (taken < ring.reader.slotCount()) {
    const std::span<const Slot> slots = ring.reader.poll();
    if (slots.empty()) break;
    ring.lastProgress = Clock::now();
    route(ring.reader.device(), slots);
    taken += slots.size();
  }
  if (taken == 0) checkStall(ring);
  return taken != 0;
}

void Drain::route(std::int32_t device, std::span<const Slot> records) {
  router_.route(device, records.data(), records.size());
  slots_.fetch_add(records.size(), std::memory_order_relaxed);
  dirty_ = true;
}

void Drain::route(std::int32_t device, SlotBatch& records) {
  slots_.fetch_add(records.size(), std::memory_order_relaxed);
  router_.route(device, records);
  dirty_ = true;
}

bool Drain::pollChunks(bool all) {
  bool worked = false;
  for (const auto& reader : chunkReaders()) {
    router_.attachRing(reader->device());
    worked |= dealer_->poll(*reader, all ? reader->count() : chunksPerPoll,
                            [&](SlotBatch& records) { route(reader->device(), records); }) != 0;
    if (const std::uint64_t lost = dealer_->takeLost())
      router_.handle(StatEvent{"chunk_slots_lost", "data_loss", static_cast<std::int64_t>(lost), 0,
                               "slots of chunks in host memory that hold no record"});
  }
  return worked;
}

void Drain::handle(const OpenChunksEvent& event) {
  for (const auto& reader : chunkReaders())
    if (reader->device() == event.device)
      dealer_->takeOpen(*reader, event.taken, event.again,
                        [&](SlotBatch& records) { route(event.device, records); });
}

void Drain::handle(const DetachChunksEvent& event) {
  const std::lock_guard lock(mutex_);
  std::erase_if(chunks_, [&](const auto& reader) { return reader->device() == event.device; });
}

/// A warp that reserved slots and then found no room, or died, leaves a gap.
void Drain::checkStall(Ring& ring) {
  std::uint64_t skipped = 0;
  if (const std::uint64_t below = ring.skipBelow.load(std::memory_order_relaxed);
      below > ring.reader.consumed())
    skipped = ring.reader.skip(below);
  else if (Clock::now() - ring.lastProgress > 2 * settings_.patience + 2s) {
    skipped = ring.reader.skipToArrived();
    ring.lastProgress = Clock::now();
  }
  if (skipped != 0)
    router_.handle(StatEvent{"ring_slots_lost", "data_loss", static_cast<std::int64_t>(skipped), 0,
                             "slots reserved by warps that did not fill them"});
}

/// `all`: also what is on its way; without it the thread need not wait, as there is more to do.
void Drain::commit(bool all) {
  if (all)
    sink_->flush();
  else
    sink_->commit();
  dirty_ = !all;
  if (!failed_) {
    if (const auto failure = sink_->failure()) {
      failed_ = true;
      onFailure_(*failure);
    }
  }
  const std::lock_guard lock(mutex_);
  lastCommit_ = Clock::now();
  if (all) committedRound_ = round_ + 1;
}

void Drain::noteProgress() {
  {
    const std::lock_guard lock(mutex_);
    ++round_;
  }
  progress_.notify_all();
}

}  // namespace cui::hostlib
