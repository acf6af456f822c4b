// What bounds of launches leave a kernel, as ptxas and nvlink of CUDA 13.0 say it; and which kernels count.
#include "cli/compile/launch_bounds.h"

#include <gtest/gtest.h>

#include <string>

#include "kernel_text.h"

namespace cui::cli {
namespace {

std::string kernel(const std::string& bounds, const std::string& called) {
  return ".visible .entry k(\n\t.param .u64 k_param_0\n)\n" + bounds + "{\n" +
         kernel_text::calling(called, {"%state", "%key", "%place"}) + "\tret;\n\n}\n";
}
std::string unit(const std::string& kernels, const std::string& target = "sm_90") {
  return ".version 9.0\n.target " + target + "\n.address_size 64\n\n" + kernels;
}
std::string bounds(int threads, int blocks) {
  return ".maxntid " + std::to_string(threads) + ", 1, 1\n.minnctapersm " + std::to_string(blocks) + "\n";
}
std::optional<long> left(int threads, int blocks, const std::string& target = "sm_90") {
  return registersLeftByBounds(unit(kernel(bounds(threads, blocks), kernel_text::one), target));
}

TEST(LaunchBounds, LeaveWhatAQuarterOfTheMultiprocessorHas) {
  EXPECT_EQ(left(1024, 2), 32);
  EXPECT_EQ(left(512, 3), 40);
  EXPECT_EQ(left(640, 2), 48);
  EXPECT_EQ(left(288, 4), 56);
  EXPECT_EQ(left(200, 7), 32) << "49 warps: 13 in one part";
  EXPECT_EQ(left(96, 11), 56);
}

TEST(LaunchBounds, ThatLeaveEnoughOrAreMoreThanThereIsSayNothing) {
  EXPECT_EQ(left(1024, 1), std::nullopt);
  EXPECT_EQ(left(512, 2), std::nullopt);
  EXPECT_EQ(left(1024, 3), std::nullopt) << "ptxas ignores it";
  EXPECT_EQ(left(64, 17), std::nullopt) << "more blocks than some GPUs have";
  EXPECT_EQ(left(1024, 2, "sm_86"), std::nullopt) << "of 1,536 threads";
  EXPECT_EQ(left(512, 3, "sm_86"), 40);
  EXPECT_EQ(left(1024, 2, "sm_90a"), 32);
}

TEST(LaunchBounds, OfAllDimensionsAndOfBlocksOfOneSize) {
  const auto of = [](const char* text) {
    return registersLeftByBounds(unit(kernel(text, kernel_text::one)));
  };
  EXPECT_EQ(of(".maxntid 32, 16, 2\n.minnctapersm 2\n"), 32);
  EXPECT_EQ(of(".reqntid 768\n.minnctapersm 2\n"), 40);
  EXPECT_EQ(of(".maxntid 1024, 1, 1\n"), std::nullopt);
  EXPECT_EQ(of(""), std::nullopt);
}

TEST(LaunchBounds, CountForKernelsThatCallTheUsualModule) {
  const std::string few = bounds(1024, 2);
  EXPECT_EQ(
      registersLeftByBounds(unit(kernel(few, "_ZN3cui7backend10tellKernelILi7EEEvRKNS0_10DeviceUnitEj"))),
      std::nullopt);
  EXPECT_EQ(registersLeftByBounds(unit(kernel(few, std::string(kernel_text::one) + "$cuiLean"))),
            std::nullopt);
  EXPECT_EQ(registersLeftByBounds(unit(kernel(bounds(512, 3), kernel_text::one) +
                                       kernel(few, kernel_text::two) + kernel("", kernel_text::one))),
            32);
}

}  // namespace
}  // namespace cui::cli
