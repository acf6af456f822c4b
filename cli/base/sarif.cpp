// See sarif.h.
#include "cli/base/sarif.h"

#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace cui::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A relative URI reference; characters beyond the unreserved ones and `/` are percent-encoded.
std::string uriOf(const std::string& path, const std::string& root) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::filesystem::path file(path);
  bool below = !file.is_absolute();
  if (!below) {
    const std::filesystem::path relative = file.lexically_relative(root);
    if (!relative.empty() && *relative.begin() != "..") {
      file = relative;
      below = true;
    }
  }
  std::string uri = below ? "" : "file://";
  for (const char c : file.generic_string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '/' || c == '-' || c == '.' || c == '_' || c == '~')
      uri += c;
    else
      (uri += '%') += {digits[byte >> 4], digits[byte & 15]};
  }
  return uri;
}

using Paths = std::map<std::string, std::string>;

Json locationOf(const SarifPlace& place, const Paths& absolute, const std::string& root) {
  const auto known = absolute.find(place.file);
  Json artifact = {{"uri", uriOf(known == absolute.end() ? place.file : known->second, root)}};
  if (artifact["uri"].get<std::string>().compare(0, 5, "file:") != 0) artifact["uriBaseId"] = "%SRCROOT%";
  Json physical = {{"artifactLocation", artifact}};
  if (place.line != 0) {
    physical["region"] = {{"startLine", place.line}};
    if (place.column != 0) physical["region"]["startColumn"] = place.column;
  }
  Json location = {{"physicalLocation", physical}};
  if (!place.message.empty()) location["message"] = {{"text", place.message}};
  return location;
}

}  // namespace

std::string sourceRootOf(const std::string& folder) {
  return folder.empty() ? std::filesystem::current_path().string()
                        : std::filesystem::absolute(folder).string();
}

std::string sarifLog(const std::vector<SarifResult>& results, const Paths& absolute,
                     const std::string& root) {
  Json rules = Json::array(), found = Json::array();
  std::map<std::string, std::size_t> ruleIndex;
  for (const SarifResult& result : results) {
    const auto [rule, fresh] = ruleIndex.emplace(result.rule, rules.size());
    if (fresh) rules.push_back({{"id", result.rule}, {"shortDescription", {{"text", result.ruleText}}}});
    Json one = {{"ruleId", result.rule},
                {"ruleIndex", rule->second},
                {"level", result.level},
                {"message", {{"text", result.message}}}};
    if (!result.place.file.empty()) one["locations"] = {locationOf(result.place, absolute, root)};
    for (const SarifPlace& place : result.related)
      one["relatedLocations"].push_back(locationOf(place, absolute, root));
    if (!result.fingerprint.empty())
      one["partialFingerprints"] = {{"cuinstrumentSite/v1", result.fingerprint}};
    found.push_back(std::move(one));
  }
  const Json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool", {{"driver", {{"name", "cuinstrument"}, {"version", CUI_VERSION}, {"rules", rules}}}}},
         {"columnKind", "unicodeCodePoints"},
         {"results", found}}}}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cui::cli
