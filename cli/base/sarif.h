// SARIF 2.1.0, which code hosts show as annotations of a pull request.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cui::cli {

struct SarifPlace {
  std::string file;  ///< "": none
  std::uint32_t line = 0, column = 0;
  std::string message;  ///< of a related place
};

struct SarifResult {
  std::string rule, ruleText;
  std::string level;  ///< error, warning or note
  std::string message;
  SarifPlace place;
  std::vector<SarifPlace> related;
  std::string
      fingerprint;  ///< stable over edits elsewhere, so that a known result is not announced again; "": none
};

/// An option's folder made absolute; "" is the working folder.
std::string sourceRootOf(const std::string& folder);

/// `absolute`: where files are, by the names that results give them. Files below `root` are named relative to
/// it.
std::string sarifLog(const std::vector<SarifResult>& results,
                     const std::map<std::string, std::string>& absolute, const std::string& root);

}  // namespace cui::cli
