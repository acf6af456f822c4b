// Failed checks as SARIF 2.1.0, which code hosts show as annotations of a pull request.
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/check/check.h"

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

}  // namespace

std::string checksAsSarif(const std::vector<CheckResult>& results, const std::string& root) {
  Json rules = Json::array(), found = Json::array();
  std::map<std::string, std::size_t> ruleIndex;
  for (const CheckResult& result : results) {
    if (result.passed) continue;
    const std::string id = result.check->name;
    const auto [rule, fresh] = ruleIndex.emplace(id, rules.size());
    if (fresh) rules.push_back({{"id", id}, {"shortDescription", {{"text", id}}}});
    const bool atSite = result.place.line != 0;
    const std::string file = atSite ? result.place.file : result.check->originFile;
    const std::uint32_t line = atSite ? result.place.line : result.check->originLine;
    Json one = {{"ruleId", id},
                {"ruleIndex", rule->second},
                {"level", "error"},
                {"message", {{"text", result.message}}}};
    if (!file.empty()) {
      Json region = {{"startLine", line}};
      if (atSite && result.place.column != 0) region["startColumn"] = result.place.column;
      Json artifact = {{"uri", uriOf(file, root)}};
      if (artifact["uri"].get<std::string>().compare(0, 5, "file:") != 0) artifact["uriBaseId"] = "%SRCROOT%";
      one["locations"] = {{{"physicalLocation", {{"artifactLocation", artifact}, {"region", region}}}}};
    }
    // Stable over edits elsewhere, so that a known result is not announced again.
    if (atSite && result.place.siteId != 0)
      one["partialFingerprints"] = {
          {"cuinstrumentSite/v1", std::to_string(result.place.siteId) + ":" + result.assertion}};
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
