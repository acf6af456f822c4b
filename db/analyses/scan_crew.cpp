// See scan_crew.h.
#include "db/analyses/scan_crew.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace cui::db {

namespace {
constexpr std::size_t maxPieces = 16;
}

void ScanPiece::clear() {
  begins = ends = launch = nullptr;
  records.clear();
  sites.clear();
  sequences.clear();
  values.reset();
}

ScanCrew::ScanCrew(const std::vector<AccessVisitor*>& visitors, unsigned threads) {
  seats_.reserve(visitors.size());
  for (AccessVisitor* visitor : visitors) seats_.push_back({visitor});
  const std::size_t most = threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t count = std::min(most, seats_.size());
  if (most == 1) return;
  threads_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

ScanCrew::~ScanCrew() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  forWorkers_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::unique_ptr<ScanPiece> ScanCrew::take() {
  std::unique_lock lock(mutex_);
  forOwner_.wait(lock, [this] { return pieces_.size() < maxPieces || !failure_.empty(); });
  if (spare_.empty()) return std::make_unique<ScanPiece>();
  std::unique_ptr<ScanPiece> piece = std::move(spare_.back());
  spare_.pop_back();
  return piece;
}

void ScanCrew::hand(std::unique_ptr<ScanPiece> piece) {
  if (threads_.empty()) {
    for (const Seat& seat : seats_) show(*piece, *seat.visitor);
    piece->clear();
    spare_.push_back(std::move(piece));
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    pieces_.push_back(std::move(piece));
  }
  forWorkers_.notify_all();
}

std::string ScanCrew::finish() {
  std::unique_lock lock(mutex_);
  forOwner_.wait(lock, [this] { return pieces_.empty() || !failure_.empty(); });
  return failure_;
}

void ScanCrew::stop() {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = "stopped";
}

void ScanCrew::show(const ScanPiece& piece, AccessVisitor& visitor) {
  if (piece.begins) visitor.beginLaunch(*piece.begins);
  for (std::size_t i = 0; i < piece.records.size(); ++i)
    visitor.access({piece.records[i], *piece.sites[i], *piece.launch, piece.sequences[i]});
  if (piece.ends) visitor.endLaunch(*piece.ends);
}

ScanCrew::Seat* ScanCrew::furthestBehind() {
  Seat* best = nullptr;
  for (Seat& seat : seats_)
    if (!seat.busy && seat.next < first_ + pieces_.size() && (!best || seat.next < best->next)) best = &seat;
  return best;
}

void ScanCrew::dropSeen() {
  std::uint64_t least = first_ + pieces_.size();
  for (const Seat& seat : seats_) least = std::min(least, seat.next);
  for (; first_ < least; ++first_) {
    pieces_.front()->clear();
    spare_.push_back(std::move(pieces_.front()));
    pieces_.pop_front();
  }
}

void ScanCrew::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    Seat* seat = nullptr;
    forWorkers_.wait(lock,
                     [&] { return (seat = failure_.empty() ? furthestBehind() : nullptr) || closing_; });
    if (!seat) return;
    seat->busy = true;
    const ScanPiece& piece = *pieces_[seat->next - first_];
    lock.unlock();
    std::string failure;
    try {
      show(piece, *seat->visitor);
    } catch (const std::exception& thrown) {
      failure = thrown.what();
    }
    lock.lock();
    seat->busy = false;
    ++seat->next;
    if (!failure.empty()) failure_ = failure;
    dropSeen();
    forOwner_.notify_one();
    forWorkers_.notify_one();
  }
}

}  // namespace cui::db
