#include "driver/precompiled.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/xxhash.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace cui::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* firstLine = "cuinstrument: what is in precompiled headers, 1\n";
/// Of 7.5 megabytes each.
constexpr std::size_t keptFiles = 24;

class HeaderRecorder : public clang::PPCallbacks {
 public:
  explicit HeaderRecorder(LibraryNames& names) : names_(names) {}

  void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    add(name, file);
  }
  void HasInclude(clang::SourceLocation, llvm::StringRef name, bool, clang::OptionalFileEntryRef file,
                  clang::SrcMgr::CharacteristicKind) override {
    add(name, file);
  }

 private:
  void add(llvm::StringRef name, const clang::OptionalFileEntryRef& file) {
    names_.headers.try_emplace(name.str(), file ? file->getName().str() : "");
  }

  LibraryNames& names_;
};

/// Of `NAME`, `NAME=3`, `NAME(x)=x`.
std::string nameOf(const std::string& macro) {
  return macro.substr(0, macro.find_first_of("=("));
}

/// Size and time of change, as in a description; "" if it is not there.
std::string stateOf(const std::string& path) {
  struct stat state{};
  if (::stat(path.c_str(), &state) != 0) return "";
  return std::to_string(state.st_size) + ' ' + std::to_string(state.st_mtim.tv_sec) + '.' +
         std::to_string(state.st_mtim.tv_nsec);
}

/// Held by one process at a time, which the others do not wait for.
class MakerLock {
 public:
  explicit MakerLock(const fs::path& path)
      : file_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)),
        held_(file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) == 0) {}
  ~MakerLock() {
    if (file_ >= 0) ::close(file_);
  }
  MakerLock(const MakerLock&) = delete;
  MakerLock& operator=(const MakerLock&) = delete;
  bool held() const { return held_; }

 private:
  int file_;
  bool held_;
};

/// What this program makes of headers is another build's business.
std::string ownState() {
  std::error_code error;
  const std::string self = fs::read_symlink("/proc/self/exe", error).string();
  return self + ' ' + stateOf(self);
}

}  // namespace

std::unique_ptr<clang::PPCallbacks> recordHeaders(LibraryNames& names) {
  return std::make_unique<HeaderRecorder>(names);
}

void LibraryNames::addFrom(const clang::CompilerInstance& compiler) {
  // Also those that only a condition asks for (`#ifdef NDEBUG`).
  for (const auto& known : compiler.getPreprocessor().getIdentifierTable())
    identifiers.insert(known.first().str());
  const clang::SourceManager& manager = compiler.getSourceManager();
  for (auto file = manager.fileinfo_begin(); file != manager.fileinfo_end(); ++file)
    files.push_back(fs::absolute(file->first.getName().str()).string());
}

/// The text beside such a file: lines of a word and what it is about.
struct Precompiled::Description {
  fs::path precompiled, path;
  std::string state;  ///< of the precompiled file; "": there cannot be one
  std::vector<std::pair<std::string, std::string>> files, headers;  ///< path, state; name, path
  std::string identifiers;  ///< between blanks, one in front and one behind; "": there is no such text

  Description(const fs::path& folder, const std::string& name)
      : precompiled(folder / (name + ".pch")), path(folder / (name + ".txt")) {
    const auto buffer = llvm::MemoryBuffer::getFile(path.string());
    if (!buffer) return;
    llvm::StringRef rest = (*buffer)->getBuffer();
    if (!rest.consume_front(firstLine)) return;
    while (!rest.empty()) {
      const auto [line, others] = rest.split('\n');
      rest = others;
      const auto [word, what] = line.split(' ');
      const auto [first, second] = what.split('\t');
      if (word == "state") state = what.str();
      if (word == "file") files.emplace_back(first.str(), second.str());
      if (word == "header") headers.emplace_back(first.str(), second.str());
      if (word == "identifiers") identifiers = (" " + what + " ").str();
    }
  }

  /// False if that is not possible.
  bool write(bool made, const LibraryNames& names) const {
    std::ostringstream text;
    text << firstLine << "state " << (made ? stateOf(precompiled.string()) : "") << '\n';
    for (const std::string& file : names.files)
      if (const std::string now = stateOf(file); !now.empty()) text << "file " << file << '\t' << now << '\n';
    for (const auto& [name, found] : names.headers) text << "header " << name << '\t' << found << '\n';
    text << "identifiers";
    for (const std::string& name : names.identifiers) text << ' ' << name;
    text << '\n';
    return write(text.str());
  }
  bool write(const std::string& text) const {
    const std::string unfinished = path.string() + ".new";
    std::ofstream(unfinished, std::ios::binary) << text;
    std::error_code error;
    if (fs::file_size(unfinished, error) != text.size() || error) return false;
    fs::rename(unfinished, path, error);
    return !error;
  }

  /// No file has changed since.
  bool holds() const {
    return !identifiers.empty() && (!usable() || stateOf(precompiled.string()) == state) &&
           std::all_of(files.begin(), files.end(),
                       [](const auto& file) { return stateOf(file.first) == file.second; });
  }
  bool usable() const { return !state.empty(); }
};

PrecompiledFile Precompiled::find(const std::string& parsedAs, const Make& make) const {
  if (folder_.empty()) return {};
  std::error_code error;
  fs::create_directories(folder_, error);
  return find(parsedAs, {}, make);
}

PrecompiledFile Precompiled::find(const std::string& parsedAs, const std::set<std::string>& known,
                                  const Make& make) const {
  const std::vector<std::string> macros = macrosAmong(known);
  std::string key = parsedAs + ownState();
  for (const std::string& word : macros) key += '\n' + word;
  const std::string name = llvm::utohexstr(llvm::xxh3_64bits(key), true, 16);
  Description description(folder_, name);
  if (!description.holds()) description = remade(name, macros, make);
  if (!description.usable() || hidesHeader(description)) return {};
  std::set<std::string> named = namesIn(description);
  if (!std::includes(known.begin(), known.end(), named.begin(), named.end())) {
    named.insert(known.begin(), known.end());
    return find(parsedAs, named, make);
  }
  ::utimensat(AT_FDCWD, description.path.c_str(), nullptr, 0);  // has been of use
  PrecompiledFile result{description.precompiled.string(), {}};
  for (auto& [path, state] : description.files) result.files.push_back(std::move(path));
  return result;
}

void Precompiled::forsake(const std::string& path) {
  const MakerLock lock(fs::path(path).parent_path() / "lock");
  const Description description(fs::path(path).parent_path(), fs::path(path).stem().string());
  const auto buffer = llvm::MemoryBuffer::getFile(description.path.string());
  if (!lock.held() || !buffer) return;
  const auto [before, after] = (*buffer)->getBuffer().split("state " + description.state + '\n');
  std::error_code error;
  if (description.write((before + "state \n" + after).str())) fs::remove(description.precompiled, error);
}

/// Unless another process is about to make it, or has.
Precompiled::Description Precompiled::remade(const std::string& name, const std::vector<std::string>& macros,
                                             const Make& make) const {
  const MakerLock lock(fs::path(folder_) / "lock");
  Description description(folder_, name);
  if (description.holds()) return description;
  description.state.clear();
  if (!lock.held()) return description;
  makeRoom();
  std::error_code error;
  fs::remove(description.precompiled, error);
  LibraryNames names;
  const bool made = make(description.precompiled.string(), macros, names);
  if ((made && !fs::exists(description.precompiled, error)) || !description.write(made, names))
    return description;
  return Description(folder_, name);
}

std::vector<std::string> Precompiled::macrosAmong(const std::set<std::string>& known) const {
  std::vector<std::string> result;
  for (std::size_t i = 0; i + 1 < macros_.size(); i += 2)
    if (known.count(nameOf(macros_[i + 1])) > 0) result.insert(result.end(), {macros_[i], macros_[i + 1]});
  return result;
}

std::set<std::string> Precompiled::namesIn(const Description& description) const {
  std::set<std::string> result;
  for (std::size_t i = 0; i + 1 < macros_.size(); i += 2)
    if (std::string name = nameOf(macros_[i + 1]);
        description.identifiers.find(' ' + name + ' ') != std::string::npos)
      result.insert(std::move(name));
  return result;
}

/// One of the same name in a folder of the program's; that folder may be the library's as well.
bool Precompiled::hidesHeader(const Description& description) const {
  std::error_code error;
  for (const std::string& folder : folders_)
    for (const auto& [name, found] : description.headers) {
      const fs::path here = fs::path(folder) / name;
      if (::access(here.c_str(), F_OK) == 0 && (found.empty() || !fs::equivalent(here, found, error)))
        return true;
    }
  return false;
}

/// Those that have not been of use for the longest time go.
void Precompiled::makeRoom() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> kept;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error))
    if (entry.path().extension() == ".txt") kept.emplace_back(fs::last_write_time(entry, error), entry);
  if (kept.size() < keptFiles) return;
  std::sort(kept.begin(), kept.end());
  kept.resize(kept.size() - keptFiles + 1);
  for (auto& [time, path] : kept) {
    fs::remove(path, error);
    fs::remove(path.replace_extension(".pch"), error);
  }
}

}  // namespace cui::driver
