// The units of the program and their site indices. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "cuinstrument/format/unit.h"

namespace cui::hostlib {

class UnitRegistry {
 public:
  struct Registration {
    std::uint32_t siteBase;
    bool isNew;
    bool isWhole = true;  ///< false: its rows of sites are not what it says
  };
  /// Gives the unit its range of site indices: its number of sites, at least one.
  Registration add(const format::UnitTable& unit);

  /// The kernel that an entry record names: number `kernel` of the unit whose first index is `siteBase`.
  std::string kernelName(std::uint32_t siteBase, std::uint64_t kernel) const;
  /// Whether a kernel of this name announces itself with an entry record.
  bool hasKernel(std::string_view name) const;

  /// For fork(): the child must find the lock free.
  std::mutex& mutex() { return mutex_; }

 private:
  mutable std::mutex mutex_;
  std::map<const format::UnitTable*, std::uint32_t> bases_;
  std::map<std::uint32_t, const format::UnitTable*> units_;
  std::set<std::string, std::less<>> kernels_;
  std::uint32_t nextSite_ = 0;
};

}  // namespace cui::hostlib
