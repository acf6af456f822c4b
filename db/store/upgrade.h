// `cuinstrument upgrade`: a trace of an older schema version becomes one of this version.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "db/store/error.h"

namespace cui::db {

/// No error if a program that knows this library's schema version can read `version`; else a message that
/// names both.
Error checkSchemaVersion(const std::string& path, std::int64_t version);

/// In one transaction: after an error, or if `proceed` (with records done and in all) says false, the trace
/// is as it was. `from`: the version it had.
Error upgrade(const std::string& path, int& from,
              const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed = {});

}  // namespace cui::db
