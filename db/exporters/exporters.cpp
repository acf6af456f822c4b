// The catalogue of exporters.def.
#include "db/exporters/exporters.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cui::db {

#define CUI_EXPORTER(name, description) std::unique_ptr<RowWriter> name##Writer(std::ostream& out);
#include "db/exporters/exporters.def"
#undef CUI_EXPORTER

namespace {
constexpr Exporter rowFormats[] = {
#define CUI_EXPORTER(name, description) {#name, description, name##Writer},
#include "db/exporters/exporters.def"
#undef CUI_EXPORTER
};
}  // namespace

std::span<const Exporter> exporters() {
  return rowFormats;
}

const Exporter* findExporter(std::string_view name) {
  const auto* const found = std::find_if(std::begin(rowFormats), std::end(rowFormats),
                                         [name](const Exporter& exporter) { return name == exporter.name; });
  return found == std::end(rowFormats) ? nullptr : found;
}

Error exportQuery(const TraceReader& reader, std::string_view sql, RowWriter& writer) {
  const Error error = reader.query(
      sql,
      [&writer](Row row) {
        writer.row(row);
        return true;
      },
      {}, [&writer](std::span<const std::string> columns) { writer.begin(columns); });
  if (!error) writer.end();
  return error;
}

std::string realText(double value) {
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string result(text, end);
  if (result.find_first_of(".en") == std::string::npos) result += ".0";
  return result;
}

}  // namespace cui::db
