// See units.h.
#include "db/store/units.h"
#include "db/store/values.h"

#include <cstdio>

namespace cui::db {

namespace {

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::string pathOf(const format::UnitTable& unit, std::uint32_t file) {
  return file < unit.fileCount ? unit.files[file].path : "";
}

const LaunchInfo unknownLaunch{};
const CallInfo unknownCall{};

}  // namespace

const std::shared_ptr<const std::vector<std::uint32_t>>& Units::siteNumbers() {
  if (!siteNumbers_) siteNumbers_ = std::make_shared<const std::vector<std::uint32_t>>(numberOfIndex_);
  return siteNumbers_;
}

bool Units::knowsAll(std::uint32_t first, std::uint32_t last) {
  if (unknownBefore_.empty()) {
    unknownBefore_.assign(1, 0);
    for (const std::uint32_t number : numberOfIndex_)
      unknownBefore_.push_back(unknownBefore_.back() + (number == unknownSite));
  }
  return first <= last && last < numberOfIndex_.size() &&
         unknownBefore_[first] == unknownBefore_[std::size_t{last} + 1];
}

const UnitInfo* Units::find(const format::UnitTable* unit) const {
  const auto found = units_.find(unit);
  return found == units_.end() ? nullptr : found->second.get();
}

const UnitInfo* Units::findByBase(std::uint32_t siteBase) const {
  const auto found = byBase_.find(siteBase);
  return found == byBase_.end() ? nullptr : found->second;
}

const LaunchInfo& Units::launch(const format::UnitTable* unit, std::uint32_t entry) const {
  const UnitInfo* info = find(unit);
  return info && entry < info->launches.size() ? info->launches[entry] : unknownLaunch;
}

const CallInfo& Units::call(const format::UnitTable* unit, std::uint32_t entry) const {
  const UnitInfo* info = find(unit);
  return info && entry < info->calls.size() ? info->calls[entry] : unknownCall;
}

void Units::add(const format::UnitTable& unit, std::uint32_t siteBase) {
  if (findByBase(siteBase)) return;
  Statement(database_, "INSERT OR IGNORE INTO unit VALUES(?, ?, ?, ?)")
      .run(hex(unit.unitId), unit.mainFile, unit.rewriterVersion, unit.siteCount);
  const std::vector<std::int64_t> fileIds = addFiles(unit);
  auto info = std::make_unique<UnitInfo>();
  addKernels(unit, fileIds, *info);

  if (numberOfIndex_.size() < std::size_t{siteBase} + unit.siteCount)
    numberOfIndex_.resize(std::size_t{siteBase} + unit.siteCount, unknownSite);
  for (std::uint32_t i = 0; i < unit.siteCount; ++i)
    numberOfIndex_[siteBase + i] = addSite(unit, unit.sites[i], fileIds);
  siteNumbers_.reset();
  unknownBefore_.clear();

  for (std::uint32_t i = 0; i < unit.launchCount; ++i) {
    const format::LaunchEntry& entry = unit.launches[i];
    const auto function = functionIds_.find(entry.kernelBase);
    info->launches.push_back({entry.kernel,
                              entry.function,
                              function == functionIds_.end() ? 0 : function->second,
                              *entry.kernelBase == '\0',
                              {pathOf(unit, entry.file), entry.line, entry.column}});
  }
  for (std::uint32_t i = 0; i < unit.callCount; ++i) {
    const format::CallEntry& entry = unit.calls[i];
    info->calls.push_back({entry.api,
                           entry.function,
                           entry.variable,
                           entry.type,
                           entry.elementBytes,
                           {pathOf(unit, entry.file), entry.line, entry.column}});
  }
  for (std::uint32_t i = 0; i < unit.variableCount; ++i) {
    const format::VariableEntry& entry = unit.variables[i];
    const std::string file = pathOf(unit, entry.file);
    const std::int64_t sharedId = entry.space == format::Space::shared ? addSharedVariable(entry, file) : 0;
    info->variables.push_back({entry.name,
                               entry.type,
                               entry.elementType,
                               entry.elementBytes,
                               entry.space,
                               sharedId,
                               {file, entry.line, entry.column}});
  }
  byBase_[siteBase] = info.get();
  units_[&unit] = std::move(info);
}

std::vector<std::int64_t> Units::addFiles(const format::UnitTable& unit) {
  std::vector<std::int64_t> ids;
  Statement insert(database_,
                   "INSERT INTO source_file(path, absolute_path, text_hash) VALUES(?, ?, ?) "
                   "ON CONFLICT DO UPDATE SET path = path RETURNING source_file_id");
  for (std::uint32_t i = 0; i < unit.fileCount; ++i) {
    const std::string hash = hex(unit.files[i].textHash);
    insert.bind(unit.files[i].path, unit.files[i].absolutePath, hash);
    insert.step();
    ids.push_back(insert.integer(0));
    insert.reset();
  }
  return ids;
}

void Units::addKernels(const format::UnitTable& unit, const std::vector<std::int64_t>& fileIds,
                       UnitInfo& info) {
  Statement update(
      database_,
      "UPDATE function SET is_kernel = 1, source_file_id = ?, line = ?, column = ? WHERE function_id = ?");
  for (std::uint32_t i = 0; i < unit.kernelCount; ++i) {
    const format::KernelEntry& kernel = unit.kernels[i];
    const std::int64_t id = functionId(kernel.name);
    info.kernels.push_back({id, kept(kernel.name)});
    if (kernel.file < fileIds.size()) update.run(fileIds[kernel.file], kernel.line, kernel.column, id);
  }
}

std::int64_t Units::functionId(const std::string& name) {
  const auto found = functionIds_.find(name);
  if (found != functionIds_.end()) return found->second;
  Statement(database_, "INSERT INTO function(name, is_kernel) VALUES(?, 0)").run(name);
  return functionIds_[name] = sqlite3_last_insert_rowid(database_.handle());
}

std::uint32_t Units::addSite(const format::UnitTable& unit, const format::SiteEntry& site,
                             const std::vector<std::int64_t>& fileIds) {
  const auto found = numberOfId_.find(site.id);
  if (found != numberOfId_.end()) {
    // A header's site in a second unit: instrumented if either unit could.
    if (site.status == format::Status::instrumented)
      Statement(database_, "UPDATE site SET status = 'instrumented', reason = '' WHERE site_id = ?")
          .run(site.id);
    Statement same(database_, "SELECT function = ? AND expression = ? FROM site WHERE site_id = ?");
    same.bind(site.function, site.expression, site.id);
    if (same.step() && same.integer(0) == 0)
      stats_.add("site_id_collision", "error", 1, 0,
                 std::string(site.expression) + " in " + site.function + " shares its id with another site");
    return found->second;
  }
  const auto number = static_cast<std::uint32_t>(sites_.size());
  const bool hasFile = site.file < fileIds.size();
  insertSite_.run(database_, site.id, number, site.function, pathOf(unit, site.file), site.line, site.column,
                  site.endLine, site.endColumn, nameOf(site.kind), nameOf(site.space), site.type, site.bytes,
                  site.expression, site.base, site.index, nameOf(site.status), site.reason, site.macro,
                  site.templateContext, site.loopDepth, functionId(site.function),
                  hasFile ? fileIds[site.file] : 0);
  sites_.push_back({static_cast<std::int64_t>(site.id), site.bytes, nameOf(site.kind),
                    ValueTypes(site.type, site.function, site.templateContext)});
  numberOfId_[site.id] = number;
  return number;
}

std::int64_t Units::addSharedVariable(const format::VariableEntry& variable, const std::string& file) {
  Statement insert(
      database_,
      "INSERT INTO shared_variable(name, function, type, element_type, element_bytes, bytes, dynamic, "
      "file, line, column) VALUES(?,?,?,?,?,?,?,?,?,?) "
      "ON CONFLICT DO UPDATE SET type = type RETURNING shared_variable_id");
  insert.bind(variable.name, variable.function, variable.type, variable.elementType, variable.elementBytes,
              variable.bytes, variable.dynamic, file, variable.line, variable.column);
  insert.step();
  return insert.integer(0);
}

}  // namespace cui::db
