// A vector add and a shared-memory transpose, instrumented by hand as the rewriter would, end to end.
#include "cuinstrument/instrument.h"
CUI_UNIT(0x1, 7)

#include <gtest/gtest.h>

#include <vector>

#include "fake_host.h"

namespace {

__global__ void add(const float* a, const float* b, float* c, int n) {
  CUI_KERNEL(0);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) CUI_ACCESS(2, c[i]) = CUI_ACCESS(0, a[i]) + CUI_ACCESS(1, b[i]);
}

template <int Tile>
__global__ void transpose(const float* in, float* out, int n) {
  CUI_KERNEL(1);
  __shared__ float tile[Tile][Tile];
  CUI_SHARED(0, tile);
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  CUI_ACCESS(4, tile[threadIdx.y][threadIdx.x]) = CUI_ACCESS(3, in[y * n + x]);
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  CUI_ACCESS(6, out[y * n + x]) = CUI_ACCESS(5, tile[threadIdx.x][threadIdx.y]);
}

using cui::test::host;

std::uint32_t site(std::uint32_t number) {
  return cui::unitState.firstSite + number;
}

TEST(First, VectorAdd) {
  host().clear();
  const int n = 100;
  std::vector<float> a(128), b(128), c(128);
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 2 * i;
  CUI_LAUNCH(0, add CUI_LAUNCH_OPEN(< < <) CUI_GRID(2),
             CUI_BLOCK(64) CUI_LAUNCH_CLOSE(>>>)(a.data(), b.data(), c.data(), n));
  for (int i = 0; i < n; ++i) EXPECT_EQ(c[i], 3 * i);
  // Two blocks of two warps; the last warp has 100 - 96 = 4 lanes in range.
  for (std::uint32_t s : {0u, 1u, 2u}) {
    const auto records = host().accesses(site(s));
    ASSERT_EQ(records.size(), 4u);
    const float* array = s == 0 ? a.data() : s == 1 ? b.data() : c.data();
    for (unsigned w = 0; w < 4; ++w) {
      EXPECT_EQ(records[w].block, w / 2);
      EXPECT_EQ(records[w].warp, w % 2);
      EXPECT_EQ(records[w].mask, w == 3 ? 0xfu : 0xffffffffu);
      EXPECT_EQ(records[w].address, reinterpret_cast<std::uintptr_t>(array + 32 * w));
      EXPECT_EQ(records[w].stride, 4);
      EXPECT_EQ(records[w].bytes, 4u);
      EXPECT_EQ(records[w].space, cui::format::Space::global);
    }
  }
  const auto announced = host().announcements();
  ASSERT_EQ(announced.size(), 1u);
  EXPECT_EQ(announced[0].type, cui::format::RecordType::kernelEntry);
  EXPECT_EQ(announced[0].address, 0u);
  EXPECT_EQ(announced[0].threadsOrBytes, 64u);
  EXPECT_EQ(announced[0].block, 2u);
}

TEST(First, Transpose) {
  host().clear();
  const int n = 64;
  std::vector<float> in(n * n), out(n * n);
  for (int i = 0; i < n * n; ++i) in[i] = i;
  if (n > 0)
    CUI_LAUNCH(1, transpose<32> CUI_LAUNCH_OPEN(< < <) CUI_GRID(dim3(n / 32, n / 32)),
               CUI_BLOCK(dim3(32, 32)) CUI_LAUNCH_CLOSE(>>>)(in.data(), out.data(), n));
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) ASSERT_EQ(out[x * n + y], in[y * n + x]);
  // 4 blocks of 32 warps, one row each.
  const auto rows = host().accesses(site(4)), columns = host().accesses(site(5));
  ASSERT_EQ(rows.size(), 128u);
  ASSERT_EQ(columns.size(), 128u);
  for (unsigned i = 0; i < 128; ++i) {
    EXPECT_EQ(rows[i].space, cui::format::Space::shared);
    EXPECT_EQ(rows[i].address, (i % 32) * 128);  // tile[y][0]
    EXPECT_EQ(rows[i].stride, 4);
    EXPECT_EQ(columns[i].address, (i % 32) * 4);  // tile[0][y]
    EXPECT_EQ(columns[i].stride, 128);
    EXPECT_EQ(columns[i].mask, 0xffffffffu);
  }
  const auto announced = host().announcements();
  ASSERT_EQ(announced.size(), 6u);  // the kernel, its shared variable, and one barrier of each block
  EXPECT_EQ(announced[1].type, cui::format::RecordType::sharedVariable);
  EXPECT_EQ(announced[1].threadsOrBytes, 4096u);
  EXPECT_EQ(announced[1].address, 0u);
  for (unsigned i = 2; i < 6; ++i) EXPECT_EQ(announced[i].type, cui::format::RecordType::barrier);
}

}  // namespace
/* cuinstrument: tables, format 1 */
CUI_TABLE_FILES CUI_FILE("first.cu", "/first.cu", 0x1) CUI_TABLE_SITES
    CUI_SITE(0x1, 0, 1, 1, 1, 2, load, global, instrumented, 4, 0, "add", "a[i]", "a", "i", "float", "", "",
             "") CUI_SITE(0x2, 0, 1, 1, 1, 2, load, global, instrumented, 4, 0, "add", "b[i]", "b", "i",
                          "float", "", "", "") CUI_SITE(0x3, 0, 1, 1, 1, 2, store, global, instrumented, 4, 0,
                                                        "add", "c[i]", "c", "i", "float", "", "", "")
        CUI_SITE(0x4, 0, 1, 1, 1, 2, load, global, instrumented, 4, 0, "transpose", "in", "in", "i", "float",
                 "", "", "") CUI_SITE(0x5, 0, 1, 1, 1, 2, store, shared, instrumented, 4, 0, "transpose",
                                      "tile", "tile", "i", "float", "", "", "")
            CUI_SITE(0x6, 0, 1, 1, 1, 2, load, shared, instrumented, 4, 0, "transpose", "tile", "tile", "i",
                     "float", "", "", "")
                CUI_SITE(0x7, 0, 1, 1, 1, 2, store, global, instrumented, 4, 0, "transpose", "out", "out",
                         "i", "float", "", "", "") CUI_TABLE_KERNELS CUI_KERNEL_ENTRY("add", 0, 1, 1)
                    CUI_KERNEL_ENTRY("transpose", 0, 1, 1) CUI_TABLE_LAUNCHES
    CUI_LAUNCH_ENTRY("add", "add", "main", 0, 1, 1, 0)
        CUI_LAUNCH_ENTRY("transpose<32>", "transpose", "main", 0, 1, 1, 0) CUI_TABLE_CALLS CUI_TABLE_VARIABLES
    CUI_VARIABLE_ENTRY("tile", "transpose", "float[32][32]", "float", 4, 4096, shared, 0, 0, 1,
                       1) CUI_TABLE_GLOBALS CUI_TABLE_END("first.cu", "0")
