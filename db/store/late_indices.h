// Indices of the tables that have rows for each launch. To keep them while the program runs takes a quarter
// of the time that its rows take; made of all rows at once they take a tenth. A trace that was not closed, or
// not yet, has none: look-ups read the table, and find the same.
#pragma once

#include <string>
#include <vector>

#include "db/store/sqlite.h"

namespace cui::db {

class LateIndices {
 public:
  void drop(Database& database) {
    for (const char* const name : {"launch_by_kernel", "site_metric_by_site", "access_chunk_by_launch"}) {
      Statement index(database, "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?");
      if (!index.bind(name).step()) continue;
      dropped_.push_back(index.text(0));
      index.reset();
      database.execute(std::string("DROP INDEX ") + name);
    }
  }
  void make(Database& database) {
    for (const std::string& sql : dropped_) database.execute(sql);
    dropped_.clear();
  }

 private:
  std::vector<std::string> dropped_;  ///< as the schema says it
};

}  // namespace cui::db
