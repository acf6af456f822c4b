// The tables as JSON (--emit-metadata), with the column names of the trace database.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sites/names.h"
#include "sites/table.h"

namespace cui::sites {
namespace {

using Json = nlohmann::ordered_json;

/// Of this document, whatever the unit's own form is.
constexpr int metadataVersion = 1;

// 64-bit identities are strings: many JSON readers keep numbers as doubles.
std::string hex(std::uint64_t value) {
  return fmt::format("{:#x}", value);
}

void putPlace(Json& row, const Place& place, const std::vector<File>& files) {
  row["file"] = files.at(place.file).path;
  row["line"] = place.line;
  row["column"] = place.column;
}

}  // namespace

std::string Table::json() const {
  Json files = Json::array(), sites = Json::array(), kernels = Json::array(), launches = Json::array(),
       calls = Json::array(), variables = Json::array();
  for (const File& file : files_)
    files.push_back(
        {{"path", file.path}, {"absolute_path", file.absolutePath}, {"text_hash", hex(file.textHash)}});
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Site& site = sites_[i];
    Json row = {{"number", i}, {"id", hex(site.id)}, {"function", site.function}};
    putPlace(row, site.place, files_);
    row["end_line"] = site.endLine;
    row["end_column"] = site.endColumn;
    row["kind"] = nameOf(site.kind);
    row["space"] = nameOf(site.space);
    row["type"] = site.type;
    row["bytes"] = site.bytes;
    row["expression"] = site.expression;
    row["base"] = site.base;
    row["index"] = site.index;
    row["macro"] = site.macro;
    row["template_context"] = site.templateContext;
    row["loop_depth"] = site.loopDepth;
    row["status"] = nameOf(site.status);
    row["reason"] = site.reason;
    sites.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    Json row = {{"number", i}, {"name", kernels_[i].name}};
    putPlace(row, kernels_[i].place, files_);
    kernels.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const Launch& launch = launches_[i];
    Json row = {{"number", i},
                {"kernel", launch.kernel},
                {"kernel_base", launch.kernelBase},
                {"function", launch.function},
                {"has_stream", launch.hasStream}};
    putPlace(row, launch.place, files_);
    launches.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const Call& call = calls_[i];
    Json row = {{"number", i},
                {"api", call.api},
                {"function", call.function},
                {"variable", call.variable},
                {"type", call.type},
                {"element_bytes", call.elementBytes}};
    putPlace(row, call.place, files_);
    calls.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& variable = variables_[i];
    Json row = {{"number", i},
                {"name", variable.name},
                {"function", variable.function},
                {"type", variable.type},
                {"element_type", variable.elementType},
                {"element_bytes", variable.elementBytes},
                {"bytes", variable.bytes},
                {"space", nameOf(variable.space)},
                {"dynamic", variable.dynamic}};
    putPlace(row, variable.place, files_);
    variables.push_back(std::move(row));
  }
  const Json document = {{"format", metadataVersion},      {"unit", hex(unitId_)},
                         {"main_file", files_.at(0).path}, {"rewriter", version_},
                         {"files", std::move(files)},      {"sites", std::move(sites)},
                         {"kernels", std::move(kernels)},  {"launches", std::move(launches)},
                         {"calls", std::move(calls)},      {"variables", std::move(variables)}};
  // Source text need not be UTF-8: a byte that is not becomes U+FFFD instead of an exception.
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cui::sites
