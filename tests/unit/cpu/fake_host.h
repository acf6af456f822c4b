// Stands in for hostlib in the CPU backend's unit tests: keeps what it is told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuinstrument/format/record.h"
#include "cuinstrument/host/abi.h"

namespace cui::test {

/// One access record, taken apart.
struct Access {
  std::uint32_t site, launch, block, warp, mask, bytes;
  std::uint64_t address;
  format::AddressForm form;
  format::Space space;
  std::int32_t stride;
  std::vector<std::uint64_t> lane;  ///< 32 addresses; 0 for lanes that took no part
  std::vector<unsigned char> values;
};
struct Announcement {
  format::RecordType type;
  std::uint32_t firstSite, launch, threadsOrBytes, block;
  std::uint64_t address;
  std::int32_t number;
};
struct Stat {
  std::string name, severity, detail;
  std::int64_t value;
};
struct LaunchEnd {
  std::uint64_t id;
  int error;
  std::string name;
};

struct FakeHost {
  CuiOptions options{64u << 20, 1000000000ull, 1, 1, 0, ~0u, ~0u, 0};
  int recording = 1;
  std::uint64_t launches = 0;
  std::vector<format::WarpRecord> slots;
  std::vector<CuiLaunch> begun;
  std::vector<LaunchEnd> ended;
  std::vector<Stat> stats;
  std::vector<CuiCounter> counters;
  std::vector<CuiAllocation> allocated;
  std::vector<std::uint64_t> freed;
  std::vector<CuiMemoryOperation> operations;
  std::vector<CuiSynchronization> synchronizations;

  void clear();
  std::vector<Access> accesses() const;
  /// Those of one site of the test's unit, in order.
  std::vector<Access> accesses(std::uint32_t site) const;
  std::vector<Announcement> announcements() const;
};
FakeHost& host();

}  // namespace cui::test
