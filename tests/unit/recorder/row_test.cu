// What a row of blocks accesses at one place, which one warp accounts for in profile mode.
#include "exactness.h"

namespace {

using namespace recordertest;

char memory[1 << 18];
const char* const middle = memory + (1 << 17);

using Index = cui::GridIndex;

/// Byte distances of neighbours: threads and blocks in x, threads in y.
struct Steps {
  int thread, block, row;
};
__device__ long long distance(const Steps& steps, const Index& thread, const Index& block) {
  return static_cast<long long>(steps.thread) * thread.x + static_cast<long long>(steps.block) * block.x +
         static_cast<long long>(steps.row) * (thread.y + 7 * thread.z) + 1000 * block.y;
}

__global__ void evenly(Probe probe, const char* a, Steps steps, unsigned bytes, int from, int n,
                       unsigned site) {
  const auto index = [](const Index& thread, const Index& block) {
    return static_cast<int>(block.x * blockDim.x + thread.x);
  };
  probe.row<2>(
      site, bytes,
      [&](const Index& thread, const Index& block) {
        return index(thread, block) >= from && index(thread, block) < n;
      },
      [&](const Index& thread, const Index& block, const auto& then) {
        then(a + distance(steps, thread, block));
      });
}

void expectEvenly(dim3 grid, dim3 block, unsigned bytes, int from, int n) {
  SCOPED_TRACE(std::to_string(bytes) + " bytes, blocks of " + std::to_string(block.x) + " by " +
               std::to_string(block.y) + ", from " + std::to_string(from) + " to " + std::to_string(n));
  const int width = static_cast<int>(block.x * bytes);
  expectExactly({grid, block}, 20, [&](const Probe& probe) {
    unsigned site = 0;
    for (const int thread : {static_cast<int>(bytes), 0, -16, 100})
      for (const int blocks : {width, 0, 12, -64})
        evenly<<<grid, block>>>(probe, middle + bytes, Steps{thread, blocks, 2 * width}, bytes, from, n,
                                site++);
  });
}

TEST(Row, BlocksOfWholeWarps) {
  for (const unsigned bytes : {1u, 4u, 16u, 12u}) {
    expectEvenly(9, 64, bytes, 0, 1 << 20);
    expectEvenly(9, 64, bytes, 0, 530);  // the last block is not whole
    expectEvenly(9, 64, bytes, 2, 576);  // nor is the first
    expectEvenly(9, 64, bytes, 70, 200);
    expectEvenly(9, 64, bytes, 100, 120);
  }
}

TEST(Row, ShapesOfBlocks) {
  for (const dim3 block : {dim3(32), dim3(32, 5), dim3(16, 16), dim3(8, 8, 2), dim3(4, 8), dim3(1, 64),
                           dim3(48), dim3(24, 4), dim3(16, 3), dim3(320)}) {
    expectEvenly(8, block, 4, 0, 1 << 20);
    expectEvenly(dim3(8, 3), block, 8, 1, static_cast<int>(6 * block.x));
  }
}

// One block after another, in two dimensions, with conditions that ask for several coordinates at once.
__global__ void inPlane(Probe probe, const char* a, unsigned width, unsigned height, unsigned count,
                        unsigned site) {
  probe.row<2>(
      site, 4,
      [&](const Index& thread, const Index& block) {
        return block.x * blockDim.x + thread.x < width && block.y * blockDim.y + thread.y < height;
      },
      [&](const Index& thread, const Index& block, const auto& then) {
        const unsigned x = block.x * blockDim.x + thread.x, y = block.y * blockDim.y + thread.y;
        then(a + 4 * (y * width + x), a + 8 * (x * height + y));
      });
  __syncthreads();  // lanes can be apart here, and then a trace has more requests
  probe.row<8>(
      site + 2, 4,
      [&](const Index& thread, const Index& block) {
        return (block.y * blockDim.y + thread.y) * width + block.x * blockDim.x + thread.x < count;
      },
      [&](const Index& thread, const Index& block, const auto& then) {
        const unsigned x = block.x * blockDim.x + thread.x, y = block.y * blockDim.y + thread.y;
        then(a + 4 * (y * width + x), a + 4 * x, a + y);
      });
}

TEST(Row, Planes) {
  const dim3 grid(9, 3);
  for (const dim3 block : {dim3(32, 4), dim3(16, 8)})
    for (const unsigned width : {288u, 150u, 33u}) {
      SCOPED_TRACE("width " + std::to_string(width) + ", blocks " + std::to_string(block.x));
      expectExactly({grid, block}, 10, [&](const Probe& probe) {
        inPlane<<<grid, block>>>(probe, memory, width, 10, 10 * width - 5, 0);
        inPlane<<<grid, block>>>(probe, memory, width, 12, 1u << 20, 5);
      });
    }
}

// Two places one after the other: the second has the first one's blocks.
__global__ void twice(Probe probe, const char* a, int from, int n, unsigned site) {
  const auto index = [](const Index& thread, const Index& block) {
    return static_cast<int>(block.x * blockDim.x + thread.x);
  };
  probe.rows<2>(
      site, site + 1, 4,
      [&](const Index& thread, const Index& block) {
        return index(thread, block) >= from && index(thread, block) < n;
      },
      [&](const Index& thread, const Index& block, const auto& then) { then(a + 4 * index(thread, block)); },
      [&](const Index& thread, const Index& block, const auto& then) {
        then(a + 12 * index(thread, block), a + 4 * thread.x, a - 8 * index(thread, block));
      });
}

TEST(Row, SeveralPlaces) {
  for (const dim3 block : {dim3(64), dim3(32), dim3(8, 4)})
    for (const int from : {0, 3, 70, 130})
      for (const int n : {64, 500, 576, 1 << 20}) {
        SCOPED_TRACE("blocks of " + std::to_string(block.x) + ", from " + std::to_string(from) + " to " +
                     std::to_string(n));
        expectExactly({9, block}, 10, [&](const Probe& probe) {
          twice<<<9, block>>>(probe, middle, from, n, 0);
          twice<<<9, block>>>(probe, memory, 0, 1 << 20, 5);
        });
      }
}

// Shared memory is the same for all blocks; what has no closed form is asked warp by warp.
__global__ void inShared(Probe probe, unsigned stride, unsigned bytes, unsigned site) {
  __shared__ alignas(16) char array[16384];
  probe.row<0>(
      site, bytes, [](const Index&, const Index&) { return true; },
      [&](const Index& thread, const Index&, const auto& then) {
        then(array + stride * thread.x, array + bytes * (thread.x + 8 * thread.y));
      });
}

TEST(Row, Shared) {
  for (const unsigned bytes : {1u, 4u, 8u, 16u})
    for (const dim3 block : {dim3(96), dim3(8, 8)}) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes, blocks of " + std::to_string(block.x));
      expectExactly({8, block}, 14, [&](const Probe& probe) {
        unsigned site = 0;
        for (const unsigned stride : {0u, 4u, 8u, 16u, 32u, 128u})
          if (stride % bytes == 0) {
            inShared<<<8, block>>>(probe, stride, bytes, site);
            site += 2;
          }
      });
    }
}

__constant__ char constants[4096];

// An index that begins anew in the middle of the row: places do not advance evenly, and each block is by
// itself. And memory without sectors.
__global__ void notEvenly(Probe probe, const char* a, unsigned before) {
  const auto everywhere = [](const Index&, const Index&) { return true; };
  probe.row<0>(0, 4, everywhere, [&](const Index& thread, const Index& block, const auto& then) {
    const unsigned i = block.x * blockDim.x + thread.x - before;
    then(a + 4ull * i);
  });
  probe.row<0>(1, 4, everywhere, [&](const Index& thread, const Index& block, const auto& then) {
    const char* const own = constants;
    then(own + 4 * thread.x, own + 8 * block.x, own + 16);
  });
}

TEST(Row, PlacesThatBeginAnewAndConstants) {
  for (const unsigned before : {0u, 50u, 64u, 300u}) {
    SCOPED_TRACE(std::to_string(before));
    expectExactly({8, 64}, 4, [&](const Probe& probe) { notEvenly<<<8, 64>>>(probe, memory, before); });
  }
}

// Sites that share an entry of the warp slot, and others' entries in between.
__global__ void sharingEntries(Probe probe, const char* a) {
  const auto everywhere = [](const Index&, const Index&) { return true; };
  for (unsigned site : {0u, 15u, 1u, 16u})
    probe.row<0>(site, 4, everywhere, [&](const Index& thread, const Index& block, const auto& then) {
      const char* const own = a + 4 * (block.x * blockDim.x + thread.x);
      then(own, own + 2, own);
    });
  probe.one(32, a + 4 * threadIdx.x, 4);
}

TEST(Row, SitesThatShareAnEntry) {
  expectExactly({8, 64}, 13, [&](const Probe& probe) { sharingEntries<<<8, 64>>>(probe, memory); });
}

// Few blocks of a sample are for themselves.
TEST(Row, NotOfSamples) {
  Device device({.profile = true});
  device.unit().recordedBlocks = recordedBelow(cui::format::sampleLimit(4));
  const Notes notes(device, 16 * 64, 1);
  evenly<<<16, 64>>>(notes.probe(), middle, Steps{4, 256, 0}, 4, 0, 1 << 20, 0);
  finish();
  Totals totals = device.totals();
  unsigned recorded = 0;
  for (unsigned block = 0; block < 16; ++block) recorded += blockOrder(block) < device.unit().recordedBlocks;
  EXPECT_GT(recorded, 0u);
  EXPECT_LT(recorded, 16u);
  EXPECT_EQ((totals[{DeviceSettings().siteBase, false}].requests), 2u * recorded);
}

// Loops in front, of which a block's warps account for all times round.
struct LoopSteps {
  Steps of;
  int turn;
};
__global__ void loops(Probe probe, const char* a, LoopSteps steps, unsigned bytes, unsigned times, int n,
                      unsigned site) {
  __shared__ alignas(16) char array[32768];
  const auto guard = [&](const Index& thread, const Index& block) {
    return static_cast<int>(block.x * blockDim.x + thread.x) < n;
  };
  const Index own = {threadIdx.x, threadIdx.y, threadIdx.z}, block = {blockIdx.x, blockIdx.y, blockIdx.z};
  probe.loopRow<0, 2>(site, site, bytes, times, guard,
                      [&](const Index& thread, const Index& of, const char*(&first)[2], int (&step)[2]) {
                        first[0] = a + distance(steps.of, thread, of);
                        first[1] = array + bytes * (thread.x + 8 * thread.y);
                        step[0] = steps.turn;
                        step[1] = static_cast<int>(bytes);
                      });
  __syncthreads();
  if (guard(own, block))
    probe.loopRow<2, 1>(site + 2, site, bytes, times, guard,
                        [&](const Index& thread, const Index& of, const char*(&first)[1], int (&step)[1]) {
                          first[0] = a + distance(steps.of, thread, of);
                          step[0] = -steps.turn;
                        });
}

TEST(Row, Loops) {
  for (const dim3 block : {dim3(64), dim3(16, 8)})
    for (const unsigned bytes : {1u, 4u, 16u})
      for (const unsigned times : {1u, 5u, 40u}) {
        SCOPED_TRACE(std::to_string(bytes) + " bytes, " + std::to_string(times) + " times, blocks of " +
                     std::to_string(block.x));
        const int width = static_cast<int>(block.x * bytes);
        expectExactly({dim3(9, 2), block}, 12 * times, [&](const Probe& probe) {
          unsigned site = 0;
          for (const int turn : {static_cast<int>(bytes), 128, 36, 0}) {
            const LoopSteps steps = {{static_cast<int>(bytes), turn == 36 ? 12 : width, 4 * width}, turn};
            loops<<<dim3(9, 2), block>>>(probe, middle, steps, bytes, times, turn == 0 ? 100 : 1 << 20,
                                         3 * site++);
          }
        });
      }
}

// More accesses than are accounted for at a time.
__global__ void longLoops(Probe probe, const char* a, unsigned times, int n) {
  __shared__ alignas(16) char array[4096];
  const auto guard = [&](const Index& thread, const Index& block) {
    return static_cast<int>(block.x * blockDim.x + thread.x) < n;
  };
  const Index own = {threadIdx.x, threadIdx.y, threadIdx.z}, block = {blockIdx.x, blockIdx.y, blockIdx.z};
  if (!guard(own, block)) return;
  probe.loopRow<2, 7>(0, 0, 4, times, guard,
                      [&](const Index& thread, const Index& of, const char*(&first)[7], int (&step)[7]) {
                        for (int i = 0; i < 7; ++i) {
                          const unsigned at = 4 * (of.x * blockDim.x + thread.x) + 36 * i;
                          first[i] = i == 4 ? array + 8 * thread.x : a + at;
                          step[i] = i == 4 ? 0 : 512 * (i - 2);
                        }
                      });
}

TEST(Row, LoopsOfManyAccesses) {
  for (const int n : {1 << 20, 700})
    expectExactly({12, 64}, 7 * 9, [&](const Probe& probe) { longLoops<<<12, 64>>>(probe, middle, 9, n); });
}

// Each thread's places advance in steps of its own: every time round is of its kind.
__global__ void unevenLoops(Probe probe, const char* a, unsigned times) {
  probe.loopRow<0, 1>(
      0, 0, 4, times, [](const Index&, const Index&) { return true; },
      [&](const Index& thread, const Index& block, const char*(&first)[1], int (&step)[1]) {
        first[0] = a + 4 * (block.x * blockDim.x + thread.x);
        step[0] = static_cast<int>(4 * thread.x);
      });
}

TEST(Row, LoopsOfUnevenSteps) {
  expectExactly({8, 64}, 12, [&](const Probe& probe) { unevenLoops<<<8, 64>>>(probe, memory, 6); });
}

}  // namespace
