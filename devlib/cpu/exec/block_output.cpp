#include "block_output.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "cuinstrument/host/abi.h"

namespace cui::cpu {

namespace {
/// Slots (32 bytes) that blocks ahead of their turn may hold together before they wait for it.
constexpr std::size_t pendingLimit = 4u << 20;
}  // namespace

SlotBuffer::~SlotBuffer() {
  std::free(data_);
}
SlotBuffer::SlotBuffer(SlotBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}
SlotBuffer& SlotBuffer::operator=(SlotBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

void SlotBuffer::grow(std::size_t slots) {
  capacity_ = 2 * capacity_ > size_ + slots ? 2 * capacity_ : size_ + slots + 1024;
  void* grown = std::realloc(static_cast<void*>(data_), capacity_ * sizeof(WarpRecord));
  if (grown == nullptr) throw std::bad_alloc();
  data_ = static_cast<WarpRecord*>(grown);
}

void SubmitOrder::submit(BlockRecords& records) {
  std::vector<WarpRecord> fresh;
  for (const WarpRecord& record : records.announcements)
    if (announced_.emplace(record.flags, record.siteAndGeneration, record.address, record.stride).second)
      fresh.push_back(record);
  if (!fresh.empty()) cuiSubmit(fresh.data(), fresh.size());
  if (records.slots.size() != 0) cuiSubmit(records.slots.data(), records.slots.size());
  records.clear();
}

void SubmitOrder::spill(std::uint64_t block, BlockRecords& records) {
  if (!ordered_) return submit(records);
  if (turn_.load(std::memory_order_acquire) != block) {
    if (!mayWait_ || records.slots.size() < pendingLimit / 8) return;
    // An earlier block may be waiting for this one (a spin on a flag), so the wait has to end.
    const auto longest = std::chrono::nanoseconds(cuiOptions()->waitNs);
    std::unique_lock<std::mutex> lock(mutex_);
    if (!turned_.wait_for(lock, longest, [&] { return turn_.load() == block; })) return;
  }
  if (!batch_.empty()) submit(batch_);
  submit(records);
}

void SubmitOrder::finish(std::uint64_t block, BlockRecords& records) {
  if (!ordered_) {
    if (records.slots.size() >= spillSlots) submit(records);
    return;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  if (mayWait_ && turn_.load() != block) {
    // The running block whose turn it is submits these later. Blocks far ahead wait for it here.
    const auto longest = std::chrono::nanoseconds(cuiOptions()->waitNs);
    turned_.wait_for(lock, longest, [&] { return turn_.load() == block || pendingSlots_ < pendingLimit; });
  }
  if (turn_.load() != block) {
    pendingSlots_ += records.slots.size();
    pending_[block] = std::exchange(records, BlockRecords());
    return;
  }
  BlockRecords own = std::exchange(records, BlockRecords());
  for (;;) {
    lock.unlock();  // only the worker with the turn submits
    if (!batch_.empty() || own.slots.size() < spillSlots) {
      batch_.announcements.insert(batch_.announcements.end(), own.announcements.begin(),
                                  own.announcements.end());
      if (own.slots.size() != 0) {
        std::memcpy(static_cast<void*>(batch_.slots.reserve(own.slots.size())), own.slots.data(),
                    own.slots.size() * sizeof(WarpRecord));
        batch_.slots.commit(own.slots.size());
      }
      if (batch_.slots.size() >= spillSlots) submit(batch_);
    } else {
      submit(own);
    }
    lock.lock();
    turn_.store(++block, std::memory_order_release);
    turned_.notify_all();
    auto next = pending_.find(block);
    if (next == pending_.end()) return;
    own = std::move(next->second);
    pending_.erase(next);
    pendingSlots_ -= own.slots.size();
  }
}

}  // namespace cui::cpu
