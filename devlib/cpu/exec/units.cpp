#include "units.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

#include "cuinstrument/backend/cpu/backend.h"
#include "cuinstrument/host/abi.h"
#include "shared_window.h"

namespace cui::cpu {

namespace {

struct Unit {
  const format::UnitTable* table;
  std::uint32_t firstSite;
};

struct Registry {
  std::mutex mutex;
  std::vector<Unit> units;
  std::vector<GlobalShared> globals;
  /// Each site's static space, read without the lock while kernels run: grows by replacement, old ones are
  /// kept.
  std::deque<std::vector<format::Space>> generations;
  std::atomic<const std::vector<format::Space>*> siteSpaces{nullptr};
};

Registry& registry() {
  static Registry* instance = new Registry;  // outlives every worker thread and static destructor
  return *instance;
}

}  // namespace

bool findGlobalShared(std::int64_t offset, GlobalShared& found) {
  Registry& r = registry();
  std::lock_guard<std::mutex> lock(r.mutex);
  for (const GlobalShared& global : r.globals)
    if (offset >= global.offset && offset - global.offset < static_cast<std::int64_t>(global.bytes)) {
      found = global;
      return true;
    }
  return false;
}

format::Space staticSpace(std::uint32_t site) {
  const std::vector<format::Space>* spaces = registry().siteSpaces.load(std::memory_order_acquire);
  return spaces != nullptr && site < spaces->size() ? (*spaces)[site] : format::Space::generic;
}

const format::SiteEntry* findSite(std::uint32_t site, const format::UnitTable*& unit) {
  Registry& r = registry();
  std::lock_guard<std::mutex> lock(r.mutex);
  for (const Unit& u : r.units)
    if (site >= u.firstSite && site - u.firstSite < u.table->siteCount) {
      unit = u.table;
      return &u.table->sites[site - u.firstSite];
    }
  return nullptr;
}

}  // namespace cui::cpu

namespace cui::backend {

bool registerUnit(const format::UnitTable& unit, const GlobalEntry* globals, std::size_t globalCount,
                  UnitState& state) {
  state.firstSite = cuiRegisterUnit(CUI_ABI_VERSION, &unit);
  auto& r = cpu::registry();
  {
    std::lock_guard<std::mutex> lock(r.mutex);
    r.units.push_back({&unit, state.firstSite});
    r.generations.push_back(r.generations.empty() ? std::vector<format::Space>() : r.generations.back());
    std::vector<format::Space>& spaces = r.generations.back();
    if (spaces.size() < state.firstSite + unit.siteCount) spaces.resize(state.firstSite + unit.siteCount);
    for (std::uint32_t i = 0; i < unit.siteCount; ++i) spaces[state.firstSite + i] = unit.sites[i].space;
    r.siteSpaces.store(&spaces, std::memory_order_release);
    for (std::size_t i = 0; i < globalCount; ++i) {
      const auto address = reinterpret_cast<std::uintptr_t>(globals[i].address);
      if (unit.variables[globals[i].variable].space == format::Space::shared)
        r.globals.push_back(
            {static_cast<std::int64_t>(address - reinterpret_cast<std::uintptr_t>(cuiDynamicShared)),
             globals[i].bytes});
    }
  }
  for (std::size_t i = 0; i < globalCount; ++i)
    if (unit.variables[globals[i].variable].space != format::Space::shared)
      cuiVariable(&unit, globals[i].variable, reinterpret_cast<std::uintptr_t>(globals[i].address),
                  globals[i].bytes, 0);
  return true;
}

}  // namespace cui::backend
