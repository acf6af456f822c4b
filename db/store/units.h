// Registered units: writes their files, functions, sites and shared variables, merges what several units
// share, and answers what the events and records name by number.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cuinstrument/format/unit.h"
#include "db/store/lazy_statement.h"
#include "db/store/site_info.h"
#include "db/store/sqlite.h"
#include "db/store/stats.h"

namespace cui::db {

struct Position {
  std::string file;
  std::uint32_t line = 0, column = 0;
};
struct LaunchInfo {
  std::string kernel, caller;
  std::int64_t functionId = 0;  ///< 0: unknown
  bool byVariable = false;      ///< which `kernel` names: only the run tells whose launch it is
  Position position;
};
struct CallInfo {
  std::string api, caller, variable, type;
  std::uint32_t elementBytes = 0;
  Position position;
};
struct VariableInfo {
  std::string name, type, elementType;
  std::uint32_t elementBytes = 0;
  format::Space space = format::Space::global;
  std::int64_t sharedVariableId = 0;  ///< 0 unless __shared__
  Position position;
};
struct KernelInfo {
  std::int64_t functionId;
  std::string_view name;  ///< without template arguments; lives as long as Units
};
struct UnitInfo {
  std::vector<LaunchInfo> launches;
  std::vector<CallInfo> calls;
  std::vector<VariableInfo> variables;
  std::vector<KernelInfo> kernels;
};

class Units {
 public:
  static constexpr std::uint32_t unknownSite = ~std::uint32_t{0};

  Units(Database& database, Stats& stats) : database_(database), stats_(stats) {}
  void add(const format::UnitTable& unit, std::uint32_t siteBase);

  /// Null for one that was not added.
  const UnitInfo* find(const format::UnitTable* unit) const;
  const UnitInfo* findByBase(std::uint32_t siteBase) const;
  const LaunchInfo& launch(const format::UnitTable* unit, std::uint32_t entry) const;
  const CallInfo& call(const format::UnitTable* unit, std::uint32_t entry) const;

  /// A name that no unit has, as of a library's kernel, for as long as this lives.
  std::string_view kept(std::string_view name) { return *names_.emplace(name).first; }

  /// The site number of a process-wide site index, or unknownSite.
  std::uint32_t siteNumber(std::uint32_t index) const {
    return index < numberOfIndex_.size() ? numberOfIndex_[index] : unknownSite;
  }
  /// By index: all of them. The same vector until units are added.
  const std::shared_ptr<const std::vector<std::uint32_t>>& siteNumbers();
  /// Whether all indices from `first` to `last` are sites'.
  bool knowsAll(std::uint32_t first, std::uint32_t last);
  const std::vector<SiteInfo>& sites() const { return sites_; }

 private:
  std::vector<std::int64_t> addFiles(const format::UnitTable& unit);
  std::int64_t functionId(const std::string& name);
  std::uint32_t addSite(const format::UnitTable& unit, const format::SiteEntry& site,
                        const std::vector<std::int64_t>& fileIds);
  void addKernels(const format::UnitTable& unit, const std::vector<std::int64_t>& fileIds, UnitInfo& info);
  std::int64_t addSharedVariable(const format::VariableEntry& variable, const std::string& file);

  Database& database_;
  Stats& stats_;
  LazyStatement insertSite_{"INSERT INTO site VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,nullif(?,0))"};
  std::unordered_map<const format::UnitTable*, std::unique_ptr<UnitInfo>> units_;
  std::unordered_map<std::uint32_t, const UnitInfo*> byBase_;
  std::unordered_map<std::string, std::int64_t> functionIds_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::uint64_t, std::uint32_t> numberOfId_;
  std::vector<std::uint32_t> numberOfIndex_;
  std::shared_ptr<const std::vector<std::uint32_t>> siteNumbers_;  ///< a copy; null: to be made
  std::vector<std::uint32_t> unknownBefore_;  ///< by index, one more than there are; empty: to be counted
  std::vector<SiteInfo> sites_;
};

}  // namespace cui::db
