// The operands of inline assembly: what their wraps record. The instructions are a GPU's and not run here.
#include "cuinstrument/instrument.h"
CUI_UNIT(0x7, 12)

#include <gtest/gtest.h>

#include <vector>

#include "fake_host.h"

namespace {

using cui::test::Access;
using cui::test::host;

std::vector<Access> at(unsigned site) {
  return host().accesses(cui::unitState.firstSite + site);
}
std::uint64_t number(const volatile void* p) {
  return reinterpret_cast<std::uint64_t>(p);
}

__global__ void operands(int* p, int n, const int** same) {
  const int i = threadIdx.x;
  same[0] = CUI_ASSEMBLY(0, 4, -4, p + 1);
  same[1] = CUI_ASSEMBLY_TIMES(1, 16, 0, (i < n), p + 4 * i);
  same[2] = CUI_ASSEMBLY_TIMES(2, 1, 4, (40), p);
  same[3] = CUI_ASSEMBLY_TIMES_SHARED(3, 1, 0, (i % 2 == 0 ? 16 : 0), p + i);
}

TEST(Assembly, RecordsWhatTheCountSays) {
  static int p[128];
  const int* same[4] = {};
  host().clear();
  CUI_LAUNCH(0, operands CUI_LAUNCH_OPEN(< < <) CUI_GRID(1), CUI_BLOCK(32) CUI_LAUNCH_CLOSE(>>>)(p, 5, same));

  ASSERT_EQ(at(0).size(), 1u);
  EXPECT_EQ(at(0)[0].address, number(p));
  EXPECT_EQ(at(0)[0].bytes, 4u);

  // A predicate: the first five lanes.
  ASSERT_EQ(at(1).size(), 1u);
  EXPECT_EQ(at(1)[0].mask, 0x1fu);
  EXPECT_EQ(at(1)[0].bytes, 16u);
  EXPECT_EQ(at(1)[0].address, number(p));
  EXPECT_EQ(at(1)[0].stride, 16);

  // A block of 40 bytes is 32 and 8.
  ASSERT_EQ(at(2).size(), 2u);
  EXPECT_EQ(at(2)[0].bytes, 32u);
  EXPECT_EQ(at(2)[0].address, number(p) + 4);
  EXPECT_EQ(at(2)[1].bytes, 8u);
  EXPECT_EQ(at(2)[1].address, number(p) + 4 + 32);

  // Of nothing there is no record.
  ASSERT_EQ(at(3).size(), 1u);
  EXPECT_EQ(at(3)[0].mask, 0x55555555u);
  EXPECT_EQ(at(3)[0].bytes, 16u);

  EXPECT_EQ(same[0], p + 1);
  EXPECT_EQ(same[1], p + 4 * 31);
  EXPECT_EQ(same[2], p);
  EXPECT_EQ(same[3], p + 31);
}

}  // namespace
#include "test_tables.h"
