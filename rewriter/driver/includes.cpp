#include "driver/includes.h"

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <filesystem>

#include "edit/forms.h"
#include "edit/lexer.h"

namespace cui::driver {
namespace {

using constructs::FileIndex;
namespace fs = std::filesystem;

constexpr char ofSeveral[] = "one of several files that an #include names by a macro";
constexpr char inPlaceOfSystems[] =
    "in a header that one of the toolkit's includes, for it has a system header's name";
constexpr char onCommandLine[] = "in a header that the command line includes (-include)";

struct Edge {
  FileIndex from, to;
};

/// The folder that `include` names its file from: what the spelled name is appended to. "" if unknown.
std::string searchFolder(const constructs::Include& include) {
  const std::string& path = include.foundAs;
  const std::string& name = include.spelled;
  if (path.size() <= name.size() || path.compare(path.size() - name.size(), name.size(), name) != 0)
    return "";
  std::error_code ignored;
  std::string folder =
      fs::absolute(path.substr(0, path.size() - name.size()), ignored).lexically_normal().string();
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

bool isAbsolute(const std::string& name) {
  return !name.empty() && name[0] == '/';
}

bool isComputed(const constructs::Include& include) {
  return include.nameBegin.isMacroID();
}

/// Offset behind the opening quote or `<`; false if there is none.
bool nameOffset(const constructs::Include& include, const constructs::Preprocessing& preprocessing,
                const constructs::SourceFile& file, unsigned& offset) {
  const clang::SourceManager& manager = *preprocessing.manager;
  if (include.nameBegin.isValid()) {
    offset = manager.getFileOffset(include.nameBegin) + 1;
  } else {
    const auto found = file.text.find(include.spelled, manager.getFileOffset(include.hash));
    if (found == llvm::StringRef::npos) return false;
    offset = static_cast<unsigned>(found);
  }
  return offset > 0 && offset < file.text.size() &&
         (file.text[offset - 1] == '"' || file.text[offset - 1] == '<') &&
         file.text.substr(offset).starts_with(include.spelled);
}

/// What stands for the name in `#include NAME(…) // …`. False for what goes on in the next line.
bool computedName(const constructs::Include& include, const constructs::Preprocessing& preprocessing,
                  const constructs::SourceFile& file, unsigned& begin, unsigned& end) {
  edit::Lexer lexer(std::string_view(file.text.data(), file.text.size())
                        .substr(preprocessing.manager->getFileOffset(include.hash)));
  begin = end = 0;
  unsigned words = 0;  // `#` and `include` come first
  for (edit::Token token; lexer.next(token);) {
    const llvm::StringRef text = file.text.substr(
        preprocessing.manager->getFileOffset(include.hash) + token.begin, token.end - token.begin);
    if (token.kind == edit::TokenKind::space && text.contains('\\')) return false;
    if (token.kind == edit::TokenKind::space && text.contains('\n')) break;
    if (token.kind == edit::TokenKind::space || token.kind == edit::TokenKind::comment) continue;
    if (words == 1 && text != "include") return false;
    if (++words < 3) continue;
    const auto offset = static_cast<unsigned>(text.data() - file.text.data());
    if (begin == 0) begin = offset;
    end = offset + static_cast<unsigned>(text.size());
  }
  return begin != 0;
}

/// By the place of their directive, the files that macros name in it.
using ComputedFiles =
    std::map<std::pair<FileIndex, unsigned>, std::set<const clang::FileEntry*, constructs::AsFound>>;

ComputedFiles computedFiles(const constructs::Preprocessing& preprocessing, constructs::Sources& sources) {
  ComputedFiles result;
  const clang::SourceManager& manager = *preprocessing.manager;
  for (const constructs::Include& include : preprocessing.includes)
    if (FileIndex from = 0; isComputed(include) && include.file && include.hash.isFileID() &&
                            sources.find(manager.getFileID(include.hash), from))
      result[{from, manager.getFileOffset(include.hash)}].insert(include.file);
  return result;
}

/// Of the `#include "name"` in `text` (and `__has_include`), where the names begin.
std::vector<std::pair<unsigned, std::string>> quotedNames(llvm::StringRef text) {
  std::vector<std::pair<unsigned, std::string>> result;
  edit::Lexer lexer(std::string_view(text.data(), text.size()));
  for (edit::Token token; lexer.next(token);) {
    const llvm::StringRef name = text.slice(token.begin, token.end);
    if (token.kind == edit::TokenKind::headerName && name.size() > 2 && name.starts_with("\""))
      result.emplace_back(static_cast<unsigned>(token.begin) + 1, name.drop_front().drop_back().str());
  }
  return result;
}

/// Each folder that `name`, appended to `folder`, passes before a `..` leaves it.
void addFoldersOnTheWay(fs::path folder, const std::string& name, std::set<std::string>& folders) {
  for (const fs::path& part : fs::path(name).parent_path()) {
    if (part == "..") {
      folders.insert(folder.string());
      folder = folder.parent_path();
    } else if (part != "." && part != "/") {
      folder /= part;
    }
  }
}

/// The host's side takes other directives (`#ifndef __CUDA_ARCH__`) than those that have been `met`: they,
/// too, find what lies beside the file, which is now elsewhere.
void addOfHostsSide(FileIndex from, const constructs::Sources& sources,
                    const std::set<std::pair<FileIndex, unsigned>>& met, const std::string& mirrorFolder,
                    const std::string& outputFolder, Mirror& mirror) {
  const constructs::SourceFile& file = sources.file(from);
  const std::string home = fs::path(file.absolute).parent_path().string();
  if (file.main && home == outputFolder) return;
  for (const auto& [offset, name] : quotedNames(file.text)) {
    const fs::path path = (fs::path(home) / name).lexically_normal();
    std::error_code ignored;
    if (met.count({from, offset}) || isAbsolute(name) || !fs::is_regular_file(path, ignored)) continue;
    const bool mirrored =
        llvm::any_of(mirror.files, [&](FileIndex one) { return sources.file(one).absolute == path; });
    mirror.edits.push_back({from, offset, edit::includePrefix(mirrored ? mirrorFolder + home : home)});
    if (mirrored) addFoldersOnTheWay(mirrorFolder + home, name, mirror.folders);
  }
}

}  // namespace

Mirror planMirror(const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                  const std::set<FileIndex>& edited, const std::string& mirrorFolder,
                  const std::string& outputFolder) {
  const clang::SourceManager& manager = *preprocessing.manager;
  // Known are those that have been asked for; a header between two others may have nothing but its #include.
  for (const constructs::Include& include : preprocessing.includes)
    if (FileIndex from = 0; include.hash.isFileID())
      (void)sources.find(manager.getFileID(include.hash), from);
  std::vector<Edge> edges;
  for (const constructs::Include& include : preprocessing.includes) {
    Edge edge;
    if (!include.conditional && include.file && include.hash.isFileID() &&
        sources.find(manager.getFileID(include.hash), edge.from) && sources.find(include.file, edge.to))
      edges.push_back(edge);
  }
  Mirror mirror;
  for (const FileIndex file : edited)
    if (!sources.file(file).main) mirror.files.insert(file);
  // A source that includes itself (`#include __FILE__`) includes a copy without the unit's frame.
  for (const Edge& edge : edges)
    if (sources.file(edge.to).main && sources.file(edge.from).user) mirror.files.insert(edge.to);
  for (bool grown = true; grown;) {
    grown = false;
    for (const Edge& edge : edges)
      if (mirror.files.count(edge.to) && sources.file(edge.from).user && !sources.file(edge.from).main)
        grown |= mirror.files.insert(edge.from).second;
  }

  const ComputedFiles computed = computedFiles(preprocessing, sources);
  std::set<std::pair<FileIndex, unsigned>> done, met;
  for (const constructs::Include& include : preprocessing.includes) {
    FileIndex from = 0, to = 0;
    if (!include.hash.isFileID() || !sources.find(manager.getFileID(include.hash), from)) continue;
    const constructs::SourceFile& file = sources.file(from);
    if (!file.main && !mirror.files.count(from)) continue;
    const std::string folder = include.file ? searchFolder(include) : std::string();
    const std::string home = fs::path(file.absolute).parent_path().string();
    const bool beside = !folder.empty() && !include.angled && folder == home &&
                        (!file.main || home != outputFolder);  // the file is now elsewhere
    unsigned offset = 0, end = 0;
    if (isComputed(include)) {
      const auto place = computed.find({from, manager.getFileOffset(include.hash)});
      if (place == computed.end() || place->second.size() > 1 ||
          !computedName(include, preprocessing, file, offset, end))
        continue;
      std::string path;
      if (sources.find(include.file, to) && mirror.files.count(to))
        path = mirrorFolder + sources.file(to).absolute;
      else if (beside)
        path = home + '/' + include.spelled;
      if (path.empty() || path.find_first_of("\"\\") != path.npos || !done.insert({from, offset}).second)
        continue;
      mirror.edits.push_back({from, offset, edit::openInclude(path)});
      mirror.edits.push_back({from, end, std::string(edit::close)});
      continue;
    }
    if (!nameOffset(include, preprocessing, file, offset)) continue;
    met.insert({from, offset});
    std::string prefix;
    if (include.file && sources.find(include.file, to) && mirror.files.count(to) && !folder.empty()) {
      // fs::path drops what precedes an absolute path, so plain text.
      const std::string absolute = isAbsolute(include.spelled) ? "" : folder;
      prefix = edit::includePrefix(mirrorFolder + absolute);
      addFoldersOnTheWay(mirrorFolder + absolute, include.spelled, mirror.folders);
      const std::string reached = fs::path(absolute + '/' + include.spelled).lexically_normal().string();
      if (reached != sources.file(to).absolute)
        mirror.links.emplace(mirrorFolder + reached, mirrorFolder + sources.file(to).absolute);
    } else if (isAbsolute(include.spelled)) {
      if (edit::needsEmptyPrefix(include.spelled)) prefix = edit::includePrefix("");
    } else if (beside) {
      prefix = edit::includePrefix(home);
    }
    if (!prefix.empty() && done.insert({from, offset}).second) mirror.edits.push_back({from, offset, prefix});
  }
  for (FileIndex file = 0; file < sources.size(); ++file)
    if (sources.file(file).main || mirror.files.count(file))
      addOfHostsSide(file, sources, met, mirrorFolder, outputFolder, mirror);
  return mirror;
}

namespace {

/// In no file, but on the command line.
bool isForced(const constructs::Include& include, const clang::SourceManager& manager) {
  return !include.conditional && include.file && include.hash.isFileID() &&
         !manager.getFileEntryRefForID(manager.getFileID(include.hash));
}
bool names(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

std::string forcedIncludes(const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                           const std::vector<std::string>& taken, const Mirror& mirror,
                           const std::string& mirrorFolder, bool always) {
  std::string result;
  bool anyRewritten = always;
  for (const constructs::Include& include : preprocessing.includes) {
    FileIndex file = 0;
    if (!isForced(include, *preprocessing.manager) || !names(taken, include.spelled)) continue;
    const clang::SourceManager& manager = *preprocessing.manager;
    const clang::FileID id = manager.translateFile(include.file);
    const bool rewritten = sources.find(id, file) && mirror.files.count(file);
    anyRewritten |= rewritten;
    // A system's header is looked for: Clang may have found its own.
    const bool system =
        clang::SrcMgr::isSystem(manager.getFileCharacteristic(manager.getLocForStartOfFile(id)));
    std::string path = system ? include.spelled : constructs::absolutePath(include.foundAs);
    if (rewritten) path.insert(0, mirrorFolder);
    if (path.find_first_of("\"\\\n") != path.npos) return "";
    result += "#include \"" + path + "\"\n";
  }
  return anyRewritten ? result : "";
}

bool isUnreached(std::string_view reason) {
  return reason == ofSeveral || reason == inPlaceOfSystems || reason == onCommandLine;
}

void leaveUnreached(const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                    const std::vector<std::string>& taken) {
  const clang::SourceManager& manager = *preprocessing.manager;
  const auto leave = [&](const clang::FileEntry* entry, const char* reason) {
    FileIndex file = 0;
    if (sources.find(manager.translateFile(entry), file))
      sources.exclude(file, 0, static_cast<unsigned>(sources.file(file).text.size()), reason);
  };
  for (const auto& [place, files] : computedFiles(preprocessing, sources))
    if (files.size() > 1)
      for (const clang::FileEntry* file : files) leave(file, ofSeveral);
  // What the command line includes, it includes in front of everything that could define our forms. So do the
  // toolkit's headers.
  std::map<const clang::FileEntry*, const char*, constructs::AsFound> inFront;
  for (const clang::FileEntry* file : preprocessing.inPlaceOfSystems) inFront[file] = inPlaceOfSystems;
  for (const constructs::Include& include : preprocessing.includes) {
    if (include.conditional || !include.file || !include.hash.isFileID()) continue;
    const auto from = manager.getFileEntryRefForID(manager.getFileID(include.hash));
    if (from && inFront.count(&from->getFileEntry()) == 0) continue;
    if (!from && names(taken, include.spelled)) continue;
    inFront.try_emplace(include.file, from ? inFront.at(&from->getFileEntry()) : onCommandLine);
  }
  for (const auto& [file, reason] : inFront) leave(file, reason);
}

}  // namespace cui::driver
