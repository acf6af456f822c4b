// Accesses to shared memory that all blocks make alike, of which one block records each, for all of them; and
// rows of the grid in loops, of which another block accounts each time round.
#include "exactness.h"

namespace {

using namespace recordertest;

using Index = cui::GridIndex;

// Every shape that the recorder has a way of its own for: side by side, with conflicts, one address, without
// a rule, and parts of warps, which are neighbours or not.
__global__ void shapes(Probe probe, unsigned bytes, unsigned turns) {
  __shared__ alignas(16) char array[16384];
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  for (unsigned turn = 0; turn < turns; ++turn) {
    probe.alike(0, turn, bytes, array + bytes * thread);
    probe.alike(1, turn, bytes, array + bytes * thread, array + 4 * bytes * (thread & 63), array);
    probe.alike(4, turn, bytes, array + bytes * (thread * 7919 % 61), array + bytes * (thread / 2));
    if (thread < 40 - turn) probe.alike(6, turn, bytes, array + bytes * thread);
    __syncthreads();
    if (thread % 3 == 0) probe.alike(7, turn, bytes, array + bytes * thread, array + 32 * bytes);
    __syncthreads();
  }
}

TEST(Alike, ShapesOfAccesses) {
  for (const unsigned bytes : {1u, 4u, 8u, 16u, 12u})
    for (const dim3 grid : {dim3(1), dim3(2), dim3(9), dim3(2, 3, 2)})
      for (const dim3 block : {dim3(64), dim3(16, 8), dim3(48)}) {
        SCOPED_TRACE(std::to_string(bytes) + " bytes, blocks of " + std::to_string(block.x) + ", grid of " +
                     std::to_string(grid.x));
        expectExactly({grid, block}, 36,
                      [&](const Probe& probe) { shapes<<<grid, block>>>(probe, bytes, 4); });
      }
}

// Blocks share out tiles, some of them one more than others; one tile stands for all, of each row of blocks.
__global__ void tiles(Probe probe, unsigned bytes, unsigned count) {
  __shared__ alignas(16) char array[16384];
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  for (unsigned tile = blockIdx.x; tile < count; tile += gridDim.x)
    for (unsigned turn = 0; turn < 2; ++turn) {
      probe.alikeTiles(0, turn, tile, count, bytes, array + bytes * thread);
      probe.alikeTiles(1, turn, tile, count, bytes, array + 4 * bytes * (thread & 63),
                       array + bytes * (thread * 7919 % 61));
      if (thread < 40 - turn) probe.alikeTiles(3, turn, tile, count, bytes, array + bytes * thread);
      __syncthreads();
      if (thread % 3 == 0)
        probe.alikeTiles(4, turn, tile, count, bytes, array, array + bytes, array + thread);
      __syncthreads();
    }
}

TEST(Alike, Tiles) {
  for (const unsigned bytes : {1u, 4u, 16u, 12u})
    for (const dim3 grid : {dim3(1), dim3(4), dim3(3, 2, 2)})
      for (const unsigned count : {1u, 3u, 10u})
        for (const dim3 block : {dim3(64), dim3(16, 3)}) {
          SCOPED_TRACE(std::to_string(bytes) + " bytes, blocks of " + std::to_string(block.x) + ", grid of " +
                       std::to_string(grid.x) + ", tiles: " + std::to_string(count));
          expectExactly({grid, block}, 14 * ((count - 1) / grid.x + 1),
                        [&](const Probe& probe) { tiles<<<grid, block>>>(probe, bytes, count); });
        }
}

// More sites than a warp slot has entries for: they drive each other into the table.
__global__ void manySites(Probe probe, unsigned turns) {
  __shared__ char array[4096];
  for (unsigned turn = 0; turn < turns; ++turn)
    for (unsigned site = 0; site < 20; ++site) {
      probe.alike(site, turn, 4, array + 4 * threadIdx.x + 128 * site);
      if (threadIdx.x < 8) probe.alike(20 + site, turn, 4, array + 4 * threadIdx.x);
      __syncthreads();
    }
}

TEST(Alike, SitesThatShareEntries) {
  expectExactly({7, 64}, 120, [&](const Probe& probe) { manySites<<<7, 64>>>(probe, 3); });
}

// Loops in front, with a closed form, and those that have none.
__global__ void loops(Probe probe, unsigned times, int step, bool fixed) {
  __shared__ alignas(16) char array[32768];
  const char* const own = array + 4 * threadIdx.x;
  for (unsigned turn = 0; turn < 3; ++turn) {
    const char* const one[] = {own + 128 * turn};
    const int steps[] = {step};
    probe.alikeLoop(0, turn, one, steps, 4, times, fixed);
    const char* const two[] = {array + 4 * (threadIdx.x * 5 % 32), array + 1024};
    const int both[] = {step, 4};
    probe.alikeLoop(1, turn, two, both, 4, times, fixed);
    const char* const four[] = {own, own + 4, array, array + 64};
    const int all[] = {step, 4, 0, 8};
    probe.alikeLoop(3, turn, four, all, 4, times, fixed);
    __syncthreads();
  }
}

TEST(Alike, Loops) {
  for (const bool fixed : {false, true})
    for (const int step : {4, 128, 132})
      for (const unsigned times : {1u, 2u, 17u}) {
        SCOPED_TRACE(std::to_string(times) + " times, step " + std::to_string(step));
        expectExactly({5, 64}, 3 * 7 * times,
                      [&](const Probe& probe) { loops<<<5, 64>>>(probe, times, step, fixed); });
      }
}

char memory[1 << 18];

__global__ void rowsInLoop(Probe probe, const char* a, unsigned turns, unsigned width) {
  __shared__ char array[4096];
  for (unsigned turn = 0; turn < turns; ++turn) {
    probe.rowInLoop(0, turn, 4, [&](const Index& thread, const Index& block, const auto& then) {
      then(a + 4 * ((block.y * blockDim.y + thread.y) * width + turn * 16 + thread.x),
           array + 4 * (thread.x + 16 * thread.y));
    });
    probe.rowInLoop(2, turn, 4, [&](const Index& thread, const Index& block, const auto& then) {
      then(a + 4 * ((turn * 16 + thread.y) * width + block.x * blockDim.x + thread.x));
    });
    __syncthreads();
  }
}

TEST(Alike, RowsInLoops) {
  for (const dim3 grid : {dim3(8), dim3(9, 2)})
    for (const dim3 block : {dim3(16, 8), dim3(32, 2)})
      for (const unsigned width : {160u, 155u}) {
        SCOPED_TRACE("width " + std::to_string(width) + ", blocks of " + std::to_string(block.x));
        expectExactly({grid, block}, 15,
                      [&](const Probe& probe) { rowsInLoop<<<grid, block>>>(probe, memory, 5, width); });
      }
}

}  // namespace
