// The virtual table access_total: accesses that agree in what a statement names, added up.
#pragma once

#include "db/store/sqlite.h"

namespace cui::db {

sqlite3_module totalModule();

}  // namespace cui::db
