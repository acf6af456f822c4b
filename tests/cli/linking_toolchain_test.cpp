// The folder in which nvcc finds our ptxas: for which compilers there is one, and what is in it.
#include "cli/compile/linking_toolchain.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "cli/base/cache.h"
#include "cli/base/files.h"
#include "cli/base/temporary.h"

namespace cui::cli {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
  fs::permissions(path, fs::perms::owner_all);
}

class LinkingToolchainTest : public testing::Test {
 protected:
  LinkingToolchainTest() {
    ::setenv("CUINSTRUMENT_CACHE", (temporary_.path() / "cache").c_str(), 1);
    installation_.include = temporary_.path() / "include";
    for (const char* folder : {"backend/cuda", "device", "format", "host"})
      write(installation_.include / "cuinstrument" / folder / "a.h", "");
    makeToolkit("\177ELF", "13000");
  }
  ~LinkingToolchainTest() override { ::unsetenv("CUINSTRUMENT_CACHE"); }

  void makeToolkit(const std::string& nvcc, const std::string& version) const {
    write(toolkit_ / "bin/nvcc", nvcc);
    write(toolkit_ / "bin/nvcc.profile", "TOP = $(_HERE_)/..\nPATH += $(_HERE_):\n");
    for (const char* part : {"ptxas", "nvlink", "fatbinary", "cudafe++"})
      write(toolkit_ / "bin" / part, part);
    write(toolkit_ / "include/cuda.h", "#pragma once\n#define CUDA_VERSION " + version + "\n");
  }
  std::optional<LinkingToolchain> find() const {
    return LinkingToolchain::find((toolkit_ / "bin/nvcc").string(), installation_);
  }

  TemporaryDirectory temporary_{"linking_toolchain_test"};
  fs::path toolkit_ = temporary_.path() / "cuda";
  Installation installation_;
};

TEST_F(LinkingToolchainTest, HasTheToolkitsProgramsAndTwoOfOurs) {
  const auto toolchain = find();
  ASSERT_TRUE(toolchain);
  const fs::path own = fs::read_symlink("/proc/self/exe"), folder = toolchain->folder();
  EXPECT_EQ(fs::read_symlink(folder / "ptxas"), own);
  EXPECT_EQ(fs::read_symlink(folder / "fatbinary"), own);
  EXPECT_EQ(fs::read_symlink(folder / "cudafe++"), toolkit_ / "bin/cudafe++");
  EXPECT_EQ(fs::read_symlink(folder / "nvcc"), toolkit_ / "bin/nvcc");
  EXPECT_EQ(readFile(toolchain->ptxas()), "ptxas");
  EXPECT_EQ(readFile(toolchain->nvlink()), "nvlink");
  // nvcc finds all else in the toolkit, and those two here.
  const std::string bin = (toolkit_ / "bin").string();
  EXPECT_EQ(readFile(folder / "nvcc.profile"),
            "TOP = " + bin + "/..\nPATH += " + bin + ":\n\nPATH += " + folder.string() + ":\n");
}

TEST_F(LinkingToolchainTest, IsTheSameUntilSomethingChanges) {
  const fs::path first = find()->folder();
  EXPECT_EQ(find()->folder(), first);
  write(installation_.include / "cuinstrument/device/a.h", "changed");
  const fs::path second = find()->folder();
  EXPECT_NE(second, first);
  write(toolkit_ / "bin/ptxas", "another ptxas");
  EXPECT_NE(find()->folder(), second);
}

TEST_F(LinkingToolchainTest, OtherScriptsAndOlderToolkitsHaveNone) {
  makeToolkit("#!/bin/sh\n", "13000");  // one that runs no nvcc; others: integration.nvcc_links_the_recorder
  EXPECT_FALSE(find());
  makeToolkit("\177ELF", "11080");
  EXPECT_FALSE(find());
  makeToolkit("\177ELF", "13000");
  fs::remove(toolkit_ / "bin/nvlink");
  EXPECT_FALSE(find());
  EXPECT_FALSE(LinkingToolchain::find("no-such-nvcc", installation_));
}

TEST_F(LinkingToolchainTest, WithoutACacheThereIsNone) {
  ::setenv("CUINSTRUMENT_CACHE", "/proc/no-such-folder", 1);
  EXPECT_FALSE(find());
  ::setenv("CUINSTRUMENT_CACHE", (temporary_.path() / "with a blank").c_str(), 1);
  EXPECT_FALSE(find());
}

TEST(Cache, MakesWhatIsMissingOnceAndNothingHalfMade) {
  const TemporaryDirectory temporary("cache_test");
  const fs::path path = temporary.path() / "made";
  int calls = 0;
  const auto make = [&](const fs::path& where) {
    ++calls;
    write(where, "text");
  };
  EXPECT_THROW(makeOnce(path,
                        [](const fs::path& where) {
                          write(where, "half");
                          throw std::runtime_error("failed");
                        }),
               std::runtime_error);
  EXPECT_FALSE(fs::exists(path));
  makeOnce(path, make);
  makeOnce(path, make);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(readFile(path), "text");
}

}  // namespace
}  // namespace cui::cli
