// One trace, with plain tables and with chunks only: what both say must be the same.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <string>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db::test {

/// Three launches of different shapes; regular and irregular records of four sites, some with values, in
/// chunks of 64 records.
inline void record(const std::string& path, std::uint64_t materializeLimit) {
  WriterOptions options;
  options.materializeLimit = materializeLimit;
  options.chunkRecords = 64;
  auto writer = openWriter(path, options);
  std::mt19937 random(3);
  for (std::uint64_t launch = 1; launch <= 3; ++launch) {
    LaunchRow row = launchRow(launch);
    row.grid[0] = launch == 1 ? 100 : 10;
    row.grid[1] = launch == 1 ? 1 : 5;
    row.grid[2] = launch == 3 ? 2 : 1;
    row.block[0] = launch == 1 ? 96 : 8;
    row.block[1] = launch == 1 ? 1 : 4;
    row.block[2] = launch == 3 ? 2 : 1;
    EXPECT_OK(writer->addLaunch(row));
    EXPECT_OK(writer->updateLaunch(launch, 2000, 0, ""));
    Slots slots;
    for (std::uint32_t i = 0; i < 500; ++i) {
      const std::uint32_t block = i / 5 % (launch == 2 ? 50 : 100), warp = i % 3,
                          mask = i % 7 == 0 ? 0xf0f0fff0u : ~0u;
      switch (random() % 5) {
        case 0:
          slots.push_back(header(0, 0x10000 + i * 128, 4, mask, 4, Space::global, AddressForm::affine, false,
                                 block, warp));
          break;
        case 1:
          slots.push_back(
              header(2, i % 64 * 4, -4, mask, 4, Space::shared, AddressForm::affine, false, block, warp));
          break;
        case 2: {  // 32-bit offsets
          slots.push_back(
              header(0, 0x20000, 0, ~0u, 4, Space::global, AddressForm::offsets32, false, block, warp));
          std::array<std::int32_t, 32> offset{};
          for (std::size_t lane = 1; lane < 32; ++lane)
            offset[lane] = static_cast<std::int32_t>(random() % 999) * 4;
          appendBytes(slots, offset.data(), sizeof offset);
          break;
        }
        case 3: {  // full addresses, with values
          slots.push_back(header(4, 0x700000000000, 0, 0x80000001u, 8, Space::global, AddressForm::full64,
                                 true, block, warp));
          std::array<std::uint64_t, 32> address{};
          address[0] = 0x700000000000;
          address[31] = 0x600000000000 + random() % 512 * 8;
          appendBytes(slots, address.data(), sizeof address);
          std::array<double, 32> value{};
          value[0] = i;
          value[31] = 0.5 * i;
          appendBytes(slots, value.data(), sizeof value);
          break;
        }
        default: {  // affine, with values
          slots.push_back(
              header(1, 0x30000 + i * 64, 8, ~0u, 4, Space::global, AddressForm::affine, true, block, warp));
          std::array<float, 32> value{};
          value[5] = static_cast<float>(i);
          appendBytes(slots, value.data(), sizeof value);
        }
      }
    }
    EXPECT_OK(writer->addRecords(launch, slots.data(), slots.size()));
  }
  EXPECT_OK(writer->close());
}

class AccessTable : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    record(folder_->file("plain.db"), 1'000'000);
    record(folder_->file("chunks.db"), 0);
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::string plain() { return folder_->file("plain.db"); }
  static std::string chunks() { return folder_->file("chunks.db"); }
  static inline std::unique_ptr<TemporaryFolder> folder_;
};

}  // namespace cui::db::test
