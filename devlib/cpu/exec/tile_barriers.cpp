// Barriers of some of a block's threads that are more than a warp: tiles, and PTX's named barriers.
#include <algorithm>

#include "cuinstrument/backend/cpu/exec_intrinsics.h"
#include "worker.h"

namespace cui::cpu {

// Few programs have such tiles, and no warp does: who waits lets the others run.
void Worker::tileBarrier(unsigned first, unsigned count) {
  TileBarrier& barrier = tileBarriers_[__builtin_ctz(count) - 6][first / 64];
  const unsigned phase = barrier.phase;
  if (++barrier.arrived == std::min(count, grid_->threads - first)) {
    barrier.arrived = 0;
    ++barrier.phase;
    progressed_ = true;
  }
  while (barrier.phase == phase) yield();
}

void Worker::namedBarrier(unsigned id, unsigned count, bool waits) {
  TileBarrier& barrier = namedBarriers_[id % 16];
  const unsigned phase = barrier.phase;
  barrier.arrived +=
      lane_ + 1 == static_cast<unsigned>(__builtin_popcount(warp_->exists)) ? warpLanes - lane_ : 1;
  if (barrier.arrived == count) {
    barrier.arrived = 0;
    ++barrier.phase;
    progressed_ = true;
  }
  while (waits && barrier.phase == phase) yield();
}

const void* const* Worker::tileExchange(unsigned first, unsigned count, const void* own) {
  tileValues_[static_cast<unsigned>(warp_ - warps_) * warpLanes + lane_] = own;
  tileBarrier(first, count);
  return tileValues_;
}

}  // namespace cui::cpu

extern "C" {

void cuiTileBarrier(unsigned first, unsigned count) {
  cui::cpu::Worker::running("a tile's sync").tileBarrier(first, count);
}

const void* const* cuiTileExchange(unsigned first, unsigned count, const void* own) {
  return cui::cpu::Worker::running("a tile's exchange").tileExchange(first, count, own);
}
}
