// Which launches a trace does not have all accesses of, as the rewriter left some of their kernels' alone.
#pragma once

namespace cui::db {

/// A query: kernel, its launches, its own skipped sites (those in functions that it calls are not its own).
/// Barriers that are left alone are no accesses.
inline constexpr const char* launchesWithSkippedSites =
    "SELECT l.kernel, count(*) AS launches, s.sites FROM launch l JOIN "
    "(SELECT function_id, count(*) AS sites FROM site WHERE status = 'skipped' AND reason NOT LIKE 'barrier: "
    "%' GROUP BY 1) s USING(function_id) WHERE l.error = 0 GROUP BY 1, 3 ORDER BY 2 DESC, 1";

}  // namespace cui::db
