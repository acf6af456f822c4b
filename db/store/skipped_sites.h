// Which launches a trace does not have all accesses of, in words: code that is not instrumented, and kernels
// of whose accesses the rewriter left some alone.
#pragma once

namespace cui::db {

/// A query for sentences, the most frequent kernels' first.
inline constexpr const char* launchesNotInstrumented =
    "SELECT count(*) || ' launches of ' || kernel || iif(recorded, "
    "' have those accesses here that functions of the program make: it is not instrumented itself', "
    "' have no accesses here: it is not instrumented') "
    "FROM (SELECT kernel, EXISTS(SELECT 1 FROM site_metric m WHERE m.launch_id = l.launch_id) AS recorded "
    "FROM launch l WHERE instrumented = 0 AND error = 0) "
    "GROUP BY kernel, recorded ORDER BY count(*) DESC, kernel";

/// The same of a kernel's own skipped sites (those in functions that it calls are not its own). Barriers that
/// are left alone are no accesses.
inline constexpr const char* launchesWithSkippedSites =
    "SELECT count(*) || ' launches of ' || l.kernel || ': ' || s.sites || ' of the accesses in its code are "
    "not recorded' FROM launch l JOIN "
    "(SELECT function_id, count(*) AS sites FROM site WHERE status = 'skipped' AND reason NOT LIKE 'barrier: "
    "%' GROUP BY 1) s USING(function_id) WHERE l.error = 0 GROUP BY l.kernel, s.sites "
    "ORDER BY count(*) DESC, l.kernel";

}  // namespace cui::db
