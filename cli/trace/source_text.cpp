// See source_text.h.
#include "cli/trace/source_text.h"

#include <fstream>
#include <sstream>

#include "cli/base/text_hash.h"
#include "cli/trace/open.h"

namespace cui::cli {

std::vector<SourceFile> sourceFiles(const db::TraceReader& trace) {
  std::vector<SourceFile> sources;
  throwIf(
      trace.query("SELECT path, absolute_path, text_hash FROM source_file ORDER BY path", [&](db::Row row) {
        sources.push_back({db::asText(row[0]), db::asText(row[1]), db::asText(row[2])});
        return true;
      }));
  return sources;
}

SourceState readSource(const SourceFile& source, std::string& text) {
  std::ifstream file(source.absolutePath, std::ios::binary);
  std::ostringstream all;
  if (!file || !(all << file.rdbuf())) return SourceState::missing;
  text = std::move(all).str();
  return textHash(text) == source.hash ? SourceState::same : SourceState::changed;
}

}  // namespace cui::cli
