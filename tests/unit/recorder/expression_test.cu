// Two and three accesses of one expression, which are recorded in one step where that can be.
#include "exactness.h"

namespace {

using namespace recordertest;

char memory[1 << 18];
const char* const middle = memory + (1 << 17);

__global__ void copied(Probe probe, const char* from, int fromStride, char* to, int toStride, unsigned bytes,
                       unsigned lanes, unsigned site) {
  if (threadIdx.x % 32 >= lanes) return;
  const int i = static_cast<int>(threadIdx.x);
  probe.two(site, from + i * fromStride, site + 1, to + i * toStride, bytes);
}

TEST(Expression, TwoAccesses) {
  for (const unsigned bytes : {1u, 4u, 8u, 16u})
    for (const unsigned lanes : {32u, 5u}) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes, " + std::to_string(lanes) + " lanes");
      expectExactly({2, 64}, 24, [&](const Probe& probe) {
        unsigned site = 0;
        for (const int from : {0, 4, 16, -8})
          for (const int to : {4, 16, 100}) {
            copied<<<2, 64>>>(probe, middle, from, memory + 4096, to, bytes, lanes, site);
            site += 2;
          }
      });
    }
}

__global__ void added(Probe probe, const char* a, const char* b, char* c, int stride, int row, unsigned bytes,
                      unsigned site) {
  __shared__ alignas(16) char array[16384];
  const int i = static_cast<int>(threadIdx.x) * stride + static_cast<int>(threadIdx.y) * row;
  probe.three(site, a + i, b + 2 * i, c + i, bytes);
  probe.three(site + 3, a + i, array + i, array + 8192, bytes);
  probe.three(site + 6, a + i, b - i, threadIdx.x % 2 != 0 ? array + i : c + i, bytes);
}

TEST(Expression, ThreeAccesses) {
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u})
    for (const dim3 block : {dim3(64), dim3(32, 2), dim3(8, 8), dim3(16, 3), dim3(7, 5)}) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes, width " + std::to_string(block.x));
      expectExactly({2, block}, 45, [&](const Probe& probe) {
        unsigned site = 0;
        for (const int stride : {0, 4, 8, 16, 20})
          if (stride % static_cast<int>(bytes) == 0) {  // the hardware makes no other access of shared memory
            added<<<2, block>>>(probe, middle, middle + 64, memory, stride, 256, bytes, site);
            site += 9;
          }
      });
    }
}

// Sites whose totals share an entry of the warp slot are added up one by one.
__global__ void sharingEntries(Probe probe, const char* a) {
  for (unsigned time = 0; time < 20; ++time) {
    probe.two(0, a + 4 * threadIdx.x, 16, a + 8 * threadIdx.x, 4);
    probe.two(16, a + 4 * threadIdx.x, 32, a + 4 * threadIdx.x, 4);
  }
}

TEST(Expression, SitesThatShareAnEntry) {
  expectExactly({4, 128}, 80, [&](const Probe& probe) { sharingEntries<<<4, 128>>>(probe, memory); });
}

// One launch after another in the same warp slots: the entries and counts of the one before make room.
// Records say which launch they are of: %gridid, which grows by one.
TEST(Expression, RecordsNameTheirLaunch) {
  const std::vector<Request> requests = expectTraced({2, 64}, 6, [&](const Probe& probe) {
    for (unsigned launch = 0; launch < 3; ++launch)
      copied<<<2, 64>>>(probe, memory, 4, memory + 4096, 4, 4, 32, 2 * launch);
  });
  ASSERT_FALSE(requests.empty());
  const unsigned first = requests.front().launch - (requests.front().site - DeviceSettings().siteBase) / 2;
  for (const Request& request : requests)
    EXPECT_EQ(request.launch, first + (request.site - DeviceSettings().siteBase) / 2);
}

TEST(Expression, LaunchAfterLaunch) {
  expectExactly({2, 64}, 20, [&](const Probe& probe) {
    for (unsigned launch = 0; launch < 10; ++launch)
      copied<<<2, 64>>>(probe, memory, 4, memory + 4096, 4, 4, launch % 3 == 0 ? 32 : 31, 0);
  });
}

}  // namespace
