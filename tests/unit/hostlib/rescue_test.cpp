// Reading a failed device's memory by a process of its own, with a driver whose memory is files.
#include "hostlib/rescue.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace cui::hostlib;

class RescueTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("LD_LIBRARY_PATH", CUI_FAKE_DRIVER_FOLDER, 1);
    unsetenv("CUI_FAKE_DRIVER");
    folder_ = testing::TempDir() + "rescue" + std::to_string(getpid());
    // More than one copy's worth.
    for (int i = 0; i < 2; ++i) {
      std::vector<char> bytes(rescueWindowBytes * (i + 1) + 1000);
      for (std::size_t at = 0; at < bytes.size(); ++at)
        bytes[at] = static_cast<char>(at * 31 + at / 4096 + i);
      memory_.push_back(bytes);
      std::ofstream(path(i), std::ios::binary)
          .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    std::memset(begin_.uuid, 7, sizeof begin_.uuid);
    begin_.count = 2;
    for (int i = 0; i < 2; ++i) std::strncpy(reinterpret_cast<char*>(begin_.handles[i]), path(i).c_str(), 63);
  }
  void TearDown() override {
    for (int i = 0; i < 2; ++i) unlink(path(i).c_str());
    // No process is left behind.
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }
  std::string path(int i) const { return folder_ + "." + std::to_string(i); }

  std::string folder_;
  std::vector<std::vector<char>> memory_;
  RescueBegin begin_ = {};
  Rescue rescue_;
};

TEST_F(RescueTest, ReadsAnyPartOfEach) {
  ASSERT_TRUE(rescue_.begin(begin_, {}));
  for (std::uint32_t which : {1u, 0u}) {
    std::vector<char> copy(memory_[which].size());
    ASSERT_TRUE(rescue_.read(which, 0, copy.data(), copy.size()));
    EXPECT_TRUE(copy == memory_[which]);
    ASSERT_TRUE(rescue_.read(which, 4321, copy.data(), 100));
    EXPECT_EQ(std::memcmp(copy.data(), memory_[which].data() + 4321, 100), 0);
  }
  rescue_.end();
}

TEST_F(RescueTest, TheDeviceIsNotThere) {
  begin_.uuid[3] = 1;
  EXPECT_FALSE(rescue_.begin(begin_, {}));
}

TEST_F(RescueTest, TheDriverDoesNotAllowIt) {
  begin_.handles[1][0] = '?';
  EXPECT_FALSE(rescue_.begin(begin_, {}));
}

TEST_F(RescueTest, ThereIsNoDriver) {
  setenv("LD_LIBRARY_PATH", "/nowhere", 1);
  EXPECT_FALSE(rescue_.begin(begin_, {}));
}

TEST_F(RescueTest, ACopyFailsInWhateverWay) {
  for (const char* behaviour : {"refuses", "dies", "hangs"}) {
    SCOPED_TRACE(behaviour);
    setenv("CUI_FAKE_DRIVER", behaviour, 1);
    ASSERT_TRUE(rescue_.begin(begin_, {20s, 300ms}));
    char byte = 0;
    EXPECT_FALSE(rescue_.read(0, 0, &byte, 1));
    EXPECT_FALSE(rescue_.read(0, 0, &byte, 1)) << "there is nobody any more";
    rescue_.end();
  }
}

TEST_F(RescueTest, WhatIsNotExported) {
  ASSERT_TRUE(rescue_.begin(begin_, {}));
  char byte = 0;
  EXPECT_FALSE(rescue_.read(2, 0, &byte, 1));
  rescue_.end();
}

}  // namespace
