// What is said of a kernel that goes wrong.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "error_codes.h"
#include "units.h"
#include "worker.h"

namespace cui::cpu {

namespace {

std::string triple(const unsigned* v) {
  char text[40];
  std::snprintf(text, sizeof text, "(%u,%u,%u)", v[0], v[1], v[2]);
  return text;
}

}  // namespace

void Worker::refuseOnHost(const char* function) {
  std::fprintf(stderr, "cuinstrument: %s was called from host code\n", function);
  std::abort();
}

void Worker::fail(int error, const char* what) {
  grid_->fail(error, "kernel " + std::string(grid_->kernel) + ": " + where() + ": " + what);
}

std::string Worker::blockName() const {
  return "block " + triple(cuiBlockIdx);
}
std::string Worker::where() const {
  return blockName() + ", thread " + triple(cuiThreadIdx);
}

std::string Worker::lastAccess() const {
  if (cuiLaneLog->count == 0) return "";
  const std::uint64_t key = cuiLaneLog->key[cuiLaneLog->count - 1];
  const format::UnitTable* unit = nullptr;
  const auto index = static_cast<std::uint32_t>(key & ((1u << backend::AccessKey::siteBits) - 1));
  const format::SiteEntry* site = findSite(index, unit);
  if (site == nullptr) return "";
  return std::string(" at or after ") + unit->files[site->file].path + ":" + std::to_string(site->line) +
         ":" + std::to_string(site->column) + ": " + site->expression;
}

void Worker::reportDeadlock() {
  std::string who;
  auto describe = [&](const char* what, unsigned warpIndex, std::uint32_t lanes, const std::string& detail) {
    const unsigned thread = warpIndex * warpLanes + firstLane(lanes);
    who += (who.empty() ? "" : "; ") + std::to_string(__builtin_popcount(lanes)) + " of warp " +
           std::to_string(warpIndex) + " at " + what + detail + " (first: thread " +
           triple(grid_->threadIndex[thread].v) + ")";
  };
  unsigned shown = 0, hidden = 0;
  for (unsigned w = 0; w < warpCount_; ++w) {
    const Warp& warp = warps_[w];
    if (warp.live() == 0) continue;
    if (++shown > 4) {
      ++hidden;
      continue;
    }
    if (warp.atBarrier != 0) describe("__syncthreads", w, warp.atBarrier, "");
    for (std::uint32_t left = warp.atWarpOp; left != 0;) {
      const WarpOp& op = warp.op[firstLane(left)];
      std::uint32_t same = 0;
      for (std::uint32_t others = left; others != 0; others &= others - 1) {
        const WarpOp& other = warp.op[firstLane(others)];
        if (other.kind == op.kind && other.mask == op.mask) same |= 1u << firstLane(others);
      }
      char mask[32];
      std::snprintf(mask, sizeof mask, " mask 0x%08x", op.mask);
      describe(nameOf(op.kind), w, same, mask);
      left &= ~same;
    }
  }
  if (hidden != 0) who += "; and " + std::to_string(hidden) + " more warps";
  grid_->fail(errorLaunchTimeout, "kernel " + std::string(grid_->kernel) + ": " + blockName() +
                                      ": deadlock, these threads wait for others that will not come: " + who);
}

}  // namespace cui::cpu
