// What the store's benchmarks record: warp records of kernels with a known way of accessing memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "cuinstrument/format/record.h"
#include "cuinstrument/format/unit.h"
#include "db/store/trace_writer.h"

namespace cui::bench {

using format::AddressForm;
using format::Space;

inline constexpr format::FileEntry files[] = {{"bench.cu", "/bench.cu", 1}};
inline constexpr format::SiteEntry sites[] = {
    {1, 0, 1, 1, 1, 5, format::Kind::load, Space::global, format::Status::instrumented, 4, 0, "k", "a[i]",
     "a", "i", "float", "", "", ""},
    {2, 0, 1, 6, 1, 9, format::Kind::load, Space::global, format::Status::instrumented, 4, 0, "k", "b[i]",
     "b", "i", "float", "", "", ""},
    {3, 0, 1, 10, 1, 14, format::Kind::store, Space::global, format::Status::instrumented, 4, 0, "k", "c[i]",
     "c", "i", "float", "", "", ""}};
inline constexpr format::KernelEntry kernels[] = {{"k", 0, 1, 1}};
inline constexpr format::UnitTable unit = {format::unitFormatVersion,
                                           1,
                                           "bench.cu",
                                           "bench",
                                           1,
                                           3,
                                           1,
                                           0,
                                           0,
                                           0,
                                           files,
                                           sites,
                                           kernels,
                                           nullptr,
                                           nullptr,
                                           nullptr};
inline constexpr std::size_t batch = 4096;  // records a drain hands over at a time

using Slots = std::vector<format::WarpRecord>;

inline format::WarpRecord header(std::uint32_t site, std::uint64_t address, std::int32_t stride,
                                 AddressForm form, std::uint32_t block, std::uint32_t warp) {
  format::WarpRecord r = {};
  r.address = address;
  r.activeMask = ~0u;
  r.warpAndBytes = format::makeWarpAndBytes(warp, 4);
  r.flags = format::makeFlags(format::RecordType::access, form, Space::global, false);
  r.siteAndGeneration = site;
  r.block = block;
  r.stride = stride;
  return r;
}

/// Vector addition by blocks of 8 warps; `interleaved`: 64 blocks run at once, their warps in random order.
inline Slots regular(std::size_t first, bool interleaved) {
  Slots slots;
  std::mt19937 random(static_cast<unsigned>(first));
  for (std::size_t i = 0; i < batch; ++i) {
    const std::size_t n = first + i;
    auto warp = static_cast<std::uint32_t>(n / 3);
    if (interleaved) warp = warp / 512 * 512 + random() % 512;
    slots.push_back(header(n % 3, 0x700000000000 + (std::uint64_t{n % 3} << 30) + warp * std::uint64_t{128},
                           4, AddressForm::affine, warp / 8, warp % 8));
  }
  return slots;
}

/// A matrix product by blocks of 16 × 16 threads: a warp covers two rows, whose addresses are affine each.
inline Slots rows(std::size_t first) {
  Slots slots;
  constexpr std::uint64_t pitch = 512 * 4;
  for (std::size_t i = 0; i < batch; ++i) {
    // Each warp runs a loop of 512 turns, two loads in each; 8 warps take turns.
    const std::size_t n = first + i;
    const std::uint64_t k = n / 16 % 512, block = n / 16 / 512;
    const auto warp = static_cast<std::uint32_t>(n / 2 % 8);
    const bool left = n % 2 == 0;
    const std::uint64_t address = left ? 0x700000000000 + (block / 32 * 16 + warp * 2) * pitch + k * 4
                                       : 0x700010000000 + k * pitch + block % 32 * 64;
    slots.push_back(
        header(left ? 0 : 1, address, 0, AddressForm::offsets32, static_cast<std::uint32_t>(block), warp));
    std::int32_t offset[32];
    for (int lane = 0; lane < 32; ++lane)
      offset[lane] = left ? lane / 16 * static_cast<int>(pitch) : lane % 16 * 4;
    slots.resize(slots.size() + 4);
    std::memcpy(static_cast<void*>(&slots[slots.size() - 4]), offset, sizeof offset);
  }
  return slots;
}

/// Random gathers: 32 unrelated elements of 256 MiB in each record.
inline Slots gather(std::size_t first) {
  Slots slots;
  std::mt19937 random(static_cast<unsigned>(first));
  for (std::size_t i = 0; i < batch; ++i) {
    const auto warp = static_cast<std::uint32_t>(first + i);
    slots.push_back(header(0, 0x700010000000, 0, AddressForm::offsets32, warp / 8, warp % 8));
    std::int32_t offset[32];
    for (int lane = 0; lane < 32; ++lane)
      offset[lane] = lane == 0 ? 0 : static_cast<std::int32_t>(random() % (1u << 26)) * 4;
    slots.resize(slots.size() + 4);
    std::memcpy(static_cast<void*>(&slots[slots.size() - 4]), offset, sizeof offset);
  }
  return slots;
}

/// The launch all of them are of; `records` of eight warps a block and three a warp.
inline db::LaunchRow launchOf(std::size_t records) {
  db::LaunchRow launch;
  launch.launchId = 1;
  launch.grid[0] = static_cast<std::uint32_t>(records / 3 / 8 + 1);
  launch.block[0] = 256;
  launch.kernel = "k";
  return launch;
}

}  // namespace cui::bench
