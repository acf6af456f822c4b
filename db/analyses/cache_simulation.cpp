// See cache_simulation.h.
#include "db/analyses/cache_simulation.h"

#include <algorithm>

#include "db/analyses/access_lanes.h"

namespace cui::db {

CacheSimulation::CacheSimulation(const GpuPreset& gpu, std::uint64_t memoryBytes, Sink sink)
    : caches_(gpu),
      gpu_(gpu),
      memoryBytes_(memoryBytes),
      sink_(std::move(sink)),
      multiprocessors_(gpu.multiprocessors) {}

void CacheSimulation::beginLaunch(const Launch& launch, std::uint64_t sharedBytesPerBlock, bool coldL2) {
  const std::uint32_t threads = std::max(launch.threadsPerBlock(), 1u);
  warpsPerBlock_ = (threads + format::lanesPerWarp - 1) / format::lanesPerWarp;
  std::uint64_t fit = std::min<std::uint64_t>(
      gpu_.blocksPerMultiprocessor, gpu_.threadsPerMultiprocessor / (warpsPerBlock_ * format::lanesPerWarp));
  if (sharedBytesPerBlock != 0 && gpu_.l1KiB != 0)
    fit = std::min(fit, (std::uint64_t{gpu_.l1KiB} << 10) / sharedBytesPerBlock);
  blocksAtATime_ = static_cast<std::uint32_t>(std::max<std::uint64_t>(fit, 1));
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const std::uint64_t most =
      std::min<std::uint64_t>(blocksAtATime_, (blocks + gpu_.multiprocessors - 1) / gpu_.multiprocessors);
  caches_.beginLaunch(sharedBytesPerBlock * most, coldL2);
}

void CacheSimulation::add(const AccessRecord& record, format::Kind kind, std::uint32_t tag) {
  const std::size_t first = sectors_.size();
  eachSector(record, [this](std::uint64_t sector) { sectors_.push_back(sector); });
  wait(record, kind, tag, first);
}

void CacheSimulation::add(const AccessRecord& record,
                          const std::array<std::uint64_t, format::lanesPerWarp>& lane, format::Kind kind,
                          std::uint32_t tag) {
  const std::size_t first = sectors_.size();
  eachSector(record, lane, [this](std::uint64_t sector) { sectors_.push_back(sector); });
  wait(record, kind, tag, first);
}

void CacheSimulation::wait(const AccessRecord& record, format::Kind kind, std::uint32_t tag,
                           std::size_t firstSector) {
  Waiting access;
  access.warp = record.block * warpsPerBlock_ + record.warp;
  access.number = static_cast<std::uint32_t>(waiting_.size());
  access.tag = tag;
  access.kind = kind;
  access.firstSector = static_cast<std::uint32_t>(firstSector);
  access.sectorCount = static_cast<std::uint16_t>(sectors_.size() - access.firstSector);
  waiting_.push_back(access);
  if (waiting_.size() * sizeof(Waiting) + sectors_.size() * sizeof(std::uint64_t) >= memoryBytes_) run();
}

void CacheSimulation::splitIntoStreams() {
  std::sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
    return a.warp != b.warp ? a.warp < b.warp : a.number < b.number;
  });
  streams_.clear();
  streamsOfBlock_.clear();
  std::uint64_t block = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (i != 0 && waiting_[i].warp == waiting_[i - 1].warp) {
      ++streams_.back().end;
      continue;
    }
    if (i == 0 || waiting_[i].warp / warpsPerBlock_ != block) streamsOfBlock_.push_back(0);
    block = waiting_[i].warp / warpsPerBlock_;
    ++streamsOfBlock_.back();
    streams_.push_back({i, i + 1, streamsOfBlock_.size() - 1});
  }
}

void CacheSimulation::place(Multiprocessor& multiprocessor) {
  if (nextStream_ == streams_.size()) return;
  const std::size_t block = streams_[nextStream_].block;
  for (; nextStream_ < streams_.size() && streams_[nextStream_].block == block; ++nextStream_)
    multiprocessor.streams.push_back(streams_[nextStream_]);
}

/// One access of the warp whose turn it is.
void CacheSimulation::step(std::uint32_t number) {
  Multiprocessor& here = multiprocessors_[number];
  if (here.turn >= here.streams.size()) here.turn = 0;
  Stream& stream = here.streams[here.turn];
  const Waiting& access = waiting_[stream.next++];
  sink_(access.tag, caches_.access(number, {&sectors_[access.firstSector], access.sectorCount}, access.kind));
  if (stream.next != stream.end) {
    ++here.turn;
    return;
  }
  const std::size_t block = stream.block;
  here.streams.erase(here.streams.begin() + static_cast<std::ptrdiff_t>(here.turn));
  if (--streamsOfBlock_[block] == 0) place(here);
}

void CacheSimulation::run() {
  if (waiting_.empty()) return;
  splitIntoStreams();
  nextStream_ = 0;
  for (std::uint32_t i = 0; i < blocksAtATime_ && nextStream_ != streams_.size(); ++i)
    for (Multiprocessor& multiprocessor : multiprocessors_) place(multiprocessor);
  // Those that got no block now get none later.
  const auto used =
      static_cast<std::uint32_t>(std::min<std::size_t>(streamsOfBlock_.size(), multiprocessors_.size()));
  for (bool any = true; any;) {
    any = false;
    for (std::uint32_t i = 0; i < used; ++i) {
      if (multiprocessors_[i].streams.empty()) continue;
      step(i);
      any = true;
    }
  }
  waiting_.clear();
  sectors_.clear();
}

}  // namespace cui::db
