// Dependency files. Escaping is GCC's: a backslash before a space or #, a doubled $.
#include "cli/compile/dependency_file.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <vector>

#include "cli/base/errors.h"
#include "cli/base/files.h"

namespace cui::cli {
namespace {

std::string escapeForMake(std::string_view path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

bool isSpace(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// `directory/` as a prefix of `path`, or 0.
std::size_t prefixLength(const std::string& directory, const std::string& path) {
  if (path.size() <= directory.size() + 1 || path.compare(0, directory.size(), directory) != 0) return 0;
  return path[directory.size()] == '/' ? directory.size() + 1 : 0;
}

/// A mirrored header's first line is `#line 1 "name"`; the name is what the compiler would have printed.
std::string nameInLineDirective(const std::string& mirrored) {
  std::ifstream file(mirrored);
  std::string line;
  if (!std::getline(file, line)) return "";
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (line.compare(0, 6, "#line ") != 0 || open == std::string::npos || close <= open) return "";
  std::string name;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (line[i] == '\\' && i + 1 < close) ++i;
    name += line[i];
  }
  return name;
}

/// The words of make rules. A source and its rewritten form are one file to the user, who finds it once in a
/// rule; -MP's targets without prerequisites are the headers, each once.
class NamesOnce {
 public:
  /// The next word, without the colon behind it. False: it is there already.
  bool add(const std::string& name, bool colon) {
    if (targets_) {
      if (!colon) return true;
      targets_ = false;
      return name.empty() || (name != source_ && phony_.insert(name).second);
    }
    if (source_.empty()) source_ = name;
    return names_.insert(name).second;
  }
  void endRule() {
    targets_ = true;
    names_.clear();
  }

 private:
  bool targets_ = true;  ///< in front of a rule's colon
  std::string source_;   ///< the first rule's first prerequisite
  std::set<std::string> names_, phony_;
};

struct DirectoryName {
  std::string absolute, asWritten;  ///< asWritten is empty for the current directory
};

}  // namespace

std::string mapDependencies(std::string_view rules, const PathMapping& mapping) {
  std::string out;
  NamesOnce names;
  std::size_t i = 0, wordEnd = 0;
  while (i < rules.size()) {
    if (rules[i] == '\\' && i + 1 < rules.size() && rules[i + 1] == '\n') {
      out += rules.substr(i, 2);
      i += 2;
      continue;
    }
    if (isSpace(rules[i])) {
      if (rules[i] == '\n') names.endRule();
      out += rules[i++];
      continue;
    }
    const std::size_t begin = i;
    std::string path;
    for (; i < rules.size() && !isSpace(rules[i]); ++i) {
      const char next = i + 1 < rules.size() ? rules[i + 1] : '\0';
      if (rules[i] == '\\' && next == '\n') break;
      if ((rules[i] == '\\' && (next == ' ' || next == '#')) || (rules[i] == '$' && next == '$')) ++i;
      path += rules[i];
    }
    const bool colon = path.back() == ':';
    if (colon) path.pop_back();
    const std::string mapped = mapping(path);
    if (!names.add(mapped, colon)) {
      out.resize(wordEnd);
      continue;
    }
    if (mapped == path)
      out.append(rules.substr(begin, i - begin));
    else
      out += escapeForMake(mapped) + (colon ? ":" : "");
    wordEnd = out.size();
  }
  return out;
}

void mapDependencyFile(const std::filesystem::path& file, const PathMapping& mapping) {
  const std::string rules = readFile(file);
  if (rules.empty()) return;
  const std::string mapped = mapDependencies(rules, mapping);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!(out << mapped) || !out.flush())
    throw Error(ExitCode::io, "cannot write the dependency file '" + file.string() + "'");
}

PathMapping userNames(const std::vector<SourceNames>& sources) {
  std::vector<DirectoryName> directories;
  const auto addDirectory = [&](const std::string& directory) {
    std::string absolute = std::filesystem::absolute(directory.empty() ? "." : directory).lexically_normal();
    while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
    directories.push_back({absolute, directory});
  };
  for (const SourceNames& source : sources) {
    addDirectory(std::filesystem::path(source.original).parent_path());
    for (const std::string& directory : source.includePaths) addDirectory(directory);
  }
  return [sources, directories](const std::string& path) -> std::string {
    std::string found = path;
    for (const SourceNames& source : sources) {
      if (path == source.rewritten) return source.original;
      const std::string mirror = source.rewritten.string() + ".d";
      if (const std::size_t prefix = prefixLength(mirror, path)) {
        if (std::string name = nameInLineDirective(path); !name.empty()) return name;
        found = path.substr(prefix - 1);
      }
    }
    if (found[0] != '/') return found;
    // As it stands first: `src//../common/h.h` is src/../common/h.h to the user, not common/h.h.
    for (const std::string& candidate : {found, std::filesystem::path(found).lexically_normal().string()}) {
      const DirectoryName* best = nullptr;
      for (const DirectoryName& directory : directories)
        if (prefixLength(directory.absolute, candidate) &&
            (!best || directory.absolute.size() > best->absolute.size()))
          best = &directory;
      if (!best) continue;
      const std::size_t rest = candidate.find_first_not_of('/', prefixLength(best->absolute, candidate));
      return (std::filesystem::path(best->asWritten) / candidate.substr(std::min(rest, candidate.size())))
          .string();
    }
    return found;
  };
}

namespace {

/// `# 1 "file.h" 1 3`: the file, and whether it is a system header.
struct LineMarker {
  explicit LineMarker(std::string_view line) {
    const std::size_t open = line.find('"');
    if (line.substr(0, 2) != "# " || open == std::string_view::npos) return;
    std::size_t at = open + 1;
    for (; at < line.size() && line[at] != '"'; ++at) {
      if (line[at] == '\\' && at + 1 < line.size()) ++at;
      file += line[at];
    }
    system = line.find(" 3", at) != std::string_view::npos;
  }

  std::string file;
  bool system = false;
};

/// nvcc protects blanks alone, and takes a backslash for a separator.
std::string asNvccNames(const std::string& file) {
  std::string name;
  for (const char c : file) {
    if (c == ' ') name += '\\';
    name += c == '\\' ? '/' : c;
  }
  return name;
}

}  // namespace

std::string dependencyFileOf(const std::vector<std::string>& texts, const DependencyRule& rule) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (text[at] == '#') {
        const LineMarker marker(std::string_view(text).substr(at, end - at));
        const bool isFile = !marker.file.empty() && marker.file[0] != '<';  // <built-in>
        if (isFile && seen.insert(marker.file).second && (rule.systemHeaders || !marker.system))
          names.push_back(asNvccNames(marker.file));
      }
      at = end + 1;
    }
  }
  std::string file = rule.target + " : ", phony;
  for (std::size_t i = 0; i < names.size(); ++i) {
    file += (i == 0 ? "" : " \\\n    ") + names[i];
    if (rule.phonyTargets && i > 0) phony += '\n' + names[i] + ":\n";
  }
  return file + '\n' + phony;
}

}  // namespace cui::cli
