// See site_info.h.
#include "db/store/site_info.h"

#include "db/store/sqlite.h"

namespace cui::db {

std::vector<SiteInfo> loadSites(Database& database, const std::string& schema) {
  std::vector<SiteInfo> sites;
  Statement query(database,
                  "SELECT site_id, bytes, kind, type, template_context, function, site_number FROM " +
                      quotedName(schema) + ".site ORDER BY site_number");
  while (query.step()) {
    if (query.integer(6) != static_cast<std::int64_t>(sites.size()))
      throw StoreFailure({ErrorCode::corrupt, database.path() + ": damaged (site numbers have gaps)"});
    sites.push_back({query.integer(0), static_cast<std::uint32_t>(query.integer(1)), query.text(2),
                     ValueTypes(query.text(3), query.text(5), query.text(4))});
  }
  return sites;
}

std::string quotedName(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string(2, c) : std::string(1, c);
  return quoted + "\"";
}

}  // namespace cui::db
