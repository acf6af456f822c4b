#include "hostlib/selection.h"

#include <gtest/gtest.h>

namespace cui::hostlib {
namespace {

TEST(Selection, EverythingByDefault) {
  EXPECT_TRUE(Selection().everything());
  EXPECT_TRUE(Selection().includes("", 1));
}

TEST(Selection, Kernels) {
  Selection selection;
  selection.setKernels("scale*,ns::reduce");
  EXPECT_FALSE(selection.everything());
  EXPECT_TRUE(selection.includes("scale", 1));
  EXPECT_TRUE(selection.includes("scaleAll", 7));
  EXPECT_TRUE(selection.includes("ns::reduce", 1));
  EXPECT_FALSE(selection.includes("reduce", 1));
  EXPECT_FALSE(selection.includes("", 1));
}

TEST(Selection, KernelsTakenAway) {
  Selection selection;
  selection.setKernels("!init*");
  EXPECT_FALSE(selection.includes("initArray", 1));
  EXPECT_TRUE(selection.includes("scale", 1));
  Selection both;
  both.setKernels("scale*,!scaleHost");
  EXPECT_TRUE(both.includes("scaleDevice", 1));
  EXPECT_FALSE(both.includes("scaleHost", 1));
  EXPECT_FALSE(both.includes("other", 1));
}

TEST(Selection, Launches) {
  Selection selection;
  ASSERT_TRUE(selection.setLaunches("3,10-20,100-"));
  for (const std::uint64_t id : {3, 10, 20, 100, 5000}) EXPECT_TRUE(selection.includes("k", id)) << id;
  for (const std::uint64_t id : {1, 2, 4, 9, 21, 99}) EXPECT_FALSE(selection.includes("k", id)) << id;
  EXPECT_TRUE(selection.includesAny("k", 5, 6));
  EXPECT_FALSE(selection.includesAny("k", 5, 5));
}

TEST(Selection, Units) {
  const format::KernelEntry kernels[] = {{"app::scale", 0, 1, 1}};
  const format::LaunchEntry launches[] = {{"chosen", "", "main", 0, 2, 1, 0}};
  format::UnitTable unit = {};
  unit.kernelCount = unit.launchCount = 1;
  unit.kernels = kernels;
  unit.launches = launches;
  const auto includes = [&unit](std::string_view patterns) {
    Selection selection;
    selection.setKernels(patterns);
    return selection.includesAnyOf(unit);
  };
  EXPECT_TRUE(includes(""));
  EXPECT_TRUE(includes("app::*"));
  EXPECT_FALSE(includes("chosen"));  // a variable: what it holds counts
  EXPECT_FALSE(includes("other"));
  EXPECT_TRUE(includes("!other"));
  EXPECT_FALSE(includes("!*"));
  unit.kernelCount = unit.launchCount = 0;  // functions that a library's kernels call
  EXPECT_TRUE(includes(""));
  EXPECT_FALSE(includes("other"));
  EXPECT_TRUE(includes("!other"));
}

// Before the kernel has said its name, numbers decide.
TEST(Selection, KernelsInVariables) {
  const format::LaunchEntry launches[] = {{"chosen", "", "main", 0, 2, 1, 0},
                                          {"k<3>", "k", "main", 0, 3, 1, 0}};
  format::UnitTable unit = {};
  unit.launchCount = 2;
  unit.launches = launches;
  EXPECT_TRUE(namesVariable(&unit, 0));
  EXPECT_FALSE(namesVariable(&unit, 1));
  EXPECT_FALSE(namesVariable(&unit, 2));
  EXPECT_FALSE(namesVariable(nullptr, 0));
  Selection selection;
  selection.setKernels("k");
  ASSERT_TRUE(selection.setLaunches("4-5"));
  EXPECT_TRUE(selection.choosesKernels());
  EXPECT_TRUE(selection.includesAnyId(4, 1));
  EXPECT_TRUE(selection.includesAnyId(1, 4));
  EXPECT_FALSE(selection.includesAnyId(6, 9));
}

TEST(Selection, BadLaunchesChangeNothing) {
  for (const char* bad : {"x", "5-3", "0", "-4", "1,,x", "", ","}) {
    Selection selection;
    EXPECT_FALSE(selection.setLaunches(bad)) << bad;
    EXPECT_TRUE(selection.everything()) << bad;
  }
}

}  // namespace
}  // namespace cui::hostlib
