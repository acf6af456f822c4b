#include "driver/includes.h"

#include <clang/Basic/SourceManager.h>

#include <filesystem>

#include "edit/forms.h"

namespace cui::driver {
namespace {

using constructs::FileIndex;
namespace fs = std::filesystem;

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

/// Offset behind the opening quote or `<`; false if the name is made by a macro.
bool nameOffset(const constructs::Include& include, const constructs::Preprocessing& preprocessing,
                const constructs::SourceFile& file, unsigned& offset) {
  const clang::SourceManager& manager = *preprocessing.manager;
  if (include.nameBegin.isValid()) {
    if (!include.nameBegin.isFileID()) return false;
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
  for (bool grown = true; grown;) {
    grown = false;
    for (const Edge& edge : edges)
      if (mirror.files.count(edge.to) && sources.file(edge.from).user && !sources.file(edge.from).main)
        grown |= mirror.files.insert(edge.from).second;
  }

  std::set<std::pair<FileIndex, unsigned>> done;
  for (const constructs::Include& include : preprocessing.includes) {
    FileIndex from = 0, to = 0;
    if (!include.hash.isFileID() || !sources.find(manager.getFileID(include.hash), from)) continue;
    const constructs::SourceFile& file = sources.file(from);
    if (!file.main && !mirror.files.count(from)) continue;
    unsigned offset = 0;
    if (!nameOffset(include, preprocessing, file, offset)) continue;
    std::string prefix;
    const std::string folder = include.file ? searchFolder(include) : std::string();
    const std::string home = fs::path(file.absolute).parent_path().string();
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
    } else if (!folder.empty() && !include.angled && folder == home && (!file.main || home != outputFolder)) {
      prefix = edit::includePrefix(home);  // it was found beside the file, which is now elsewhere
    }
    if (!prefix.empty() && done.insert({from, offset}).second) mirror.edits.push_back({from, offset, prefix});
  }
  return mirror;
}

}  // namespace cui::driver
