// What the analyses of sites share: reading hot_site rows into findings.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

#include "db/analyses/analyses.h"
#include "db/store/trace_reader.h"

namespace cui::db {

/// printf into a string; for verdicts.
[[gnu::format(printf, 1, 2)]] inline std::string formatted(const char* format, ...) {
  char text[512];
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  std::string whole(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (whole.size() < sizeof text)
    whole.assign(text, whole.size());
  else
    std::vsnprintf(whole.data(), whole.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  return whole;
}

/// The columns a query for `siteFinding` starts with.
inline constexpr const char* siteColumns = "site_id, file, line, column, function, expression, base, share";
inline constexpr std::size_t siteColumnCount = 8;

inline Finding siteFinding(Row row) {
  Finding finding;
  finding.siteId = asInteger(row[0]);
  finding.file = asText(row[1]);
  finding.line = static_cast<std::uint32_t>(asInteger(row[2]));
  finding.column = static_cast<std::uint32_t>(asInteger(row[3]));
  finding.function = asText(row[4]);
  finding.expression = asText(row[5]);
  finding.base = asText(row[6]);
  finding.share = asReal(row[7]);
  return finding;
}

}  // namespace cui::db
