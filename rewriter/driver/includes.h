// Which headers are mirrored, and what their #include lines become.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "constructs/preprocessing.h"
#include "constructs/sources.h"

namespace cui::driver {

/// Text to insert into an include directive of a rewritten file.
struct IncludeEdit {
  constructs::FileIndex file;
  unsigned offset;
  std::string text;
};

struct Mirror {
  std::set<constructs::FileIndex> files;  ///< user headers that are rewritten, without the main file
  std::vector<IncludeEdit> edits;         ///< in those and in the main file
  /// Other names that an #include has for a rewritten header (the original is reached through a link), and
  /// its own: one file, so that `#pragma once` sees one.
  std::map<std::string, std::string> links;
  std::set<std::string> folders;  ///< must exist, because an #include goes through them: `mirror/a/b/../x.h`
};

/// `edited` holds the files that will change; `mirrorFolder` is absolute, `outputFolder` where the rewritten
/// main file goes (absolute).
Mirror planMirror(const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                  const std::set<constructs::FileIndex>& edited, const std::string& mirrorFolder,
                  const std::string& outputFolder);

/// The headers that the command line names (-include), in its order, as the rewritten file can include them
/// itself: one directive a line. "" if the text cannot name one, or if none of them is
/// rewritten, unless `always`.
std::string forcedIncludes(const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                           const std::vector<std::string>& names, const Mirror& mirror,
                           const std::string& mirrorFolder, bool always);

/// Whether that is the reason of what leaveUnreached() has left alone.
bool isUnreached(std::string_view reason);

/// A directive that includes one file after the other, by a macro's name, cannot lead to what is rewritten,
/// nor can the command line's `-include`, but for headers of these names: what is in such files is left
/// alone.
void leaveUnreached(const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                    const std::vector<std::string>& taken);

}  // namespace cui::driver
