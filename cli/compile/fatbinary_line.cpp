#include "cli/compile/fatbinary_line.h"

#include <algorithm>
#include <set>

#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/text_hash.h"
#include "cli/compile/plain_code.h"
#include "cli/compile/plain_kernels.h"
#include "cli/compile/ptx_text.h"
#include "cli/compile/unit_texts.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

/// What stands behind `name`, up to a comma.
std::optional<std::string> valueOf(const std::string& word, std::string_view name) {
  const std::size_t at = word.find(name);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = at + name.size();
  return word.substr(begin, word.find(',', begin) - begin);
}

}  // namespace

FatbinaryLine::FatbinaryLine(const Words& words, const fs::path& folder)
    : words_(words), plainWords_(words), folder_(folder) {
  relocatable_ = std::find(words.begin(), words.end(), "--device-c") != words.end();
  saysCompression_ = std::any_of(words.begin(), words.end(),
                                 [](const std::string& word) { return word.find("-compress") <= 1; });
  for (std::string& word : plainWords_) {
    if (const auto file = valueOf(word, "--embedded-fatbin=")) {
      embedded_ = *file;
      word = "--embedded-fatbin=" + plainEmbedded().string();
    } else if (valueOf(word, "--create=")) {
      word = "--create=" + (folder_ / "plain.fatbin").string();
    }
  }
}

void FatbinaryLine::completeText(const LinkingToolchain& toolchain) {
  for (std::string& word : plainWords_) {
    const auto file = valueOf(word, "file=");
    if (!file) continue;
    if (const auto kind = valueOf(word, "kind="); kind && *kind != "elf" && *kind != "ptx")
      throw Error(ExitCode::no, "code that is compiled at link time cannot be linked with the recorder");
    const fs::path path = *file;
    fs::path plain = plainCodeOf(path);
    if (word.find("kind=ptx,") != std::string::npos) {
      const std::string unit = readFile(path);
      if (!callsRecorder(unit)) continue;
      const bool limits = !relocatable_ || limitFunctions();
      const UnitTexts texts = unitTexts(unit);
      replaceFile(path, withModule(limits ? withRegisterLimits(texts.recording, {}) : texts.recording,
                                   readFile(toolchain.recorderText(modesOf(unit), targetOf(unit)))));
      if (!plain.empty()) {
        plain = folder_ / (textHash(path.string()) + ".ptx");
        replaceFile(plain, texts.plain);
      }
    }
    if (plain.empty() || !fs::exists(plain)) continue;
    word.replace(word.find("file=") + 5, file->size(), plain.string());
    hasPlain_ = true;
  }
}

void FatbinaryLine::compress() {
  if (saysCompression_ || !hasRecorder()) return;
  for (Words* const words : {&words_, &plainWords_}) words->insert(words->begin(), "--compress-all");
}

void FatbinaryLine::registerKernels(const LinkingToolchain& toolchain) const {
  if (embedded_.empty() || relocatable_) return;
  std::optional<std::set<std::string>> common;
  for (const std::string& word : words_) {
    const auto file = valueOf(word, "file=");
    if (!file) continue;
    std::set<std::string> names = otherKernelsIn(readFile(*file)), both;
    for (const std::string& name : names)
      if (!common || common->count(name) != 0) both.insert(name);
    common = std::move(both);
  }
  if (!common || common->empty()) return;
  replaceFile(embedded_,
              withKernelsRegistered(readFile(embedded_), *common, toolchain.plainLaunch().string()));
}

void FatbinaryLine::join() const {
  const std::string joined = withPlainImages(readFile(embedded_), readFile(plainEmbedded()));
  if (!joined.empty()) replaceFile(embedded_, joined);
}

/// In relocatable code the recorder's functions have registers as they like, and kernels that may have
/// fewer cannot call them. What compiles the PTX goes by the options that lie beside it. False if they have
/// a limit already.
bool FatbinaryLine::limitFunctions() {
  constexpr std::string_view options = "--cmdline=", limit = "maxrregcount";
  for (std::string& word : words_) {
    if (word.compare(0, options.size(), options) != 0) continue;
    if (word.find(limit) == std::string::npos)
      word += " -maxrregcount=" + std::to_string(RecorderCode::usualRegisters) + " ";
    return word.find("-maxrregcount=" + std::to_string(RecorderCode::usualRegisters)) != std::string::npos;
  }
  return false;
}

/// Each instrumented unit has functions of that namespace.
bool FatbinaryLine::hasRecorder() const {
  return std::any_of(words_.begin(), words_.end(), [](const std::string& word) {
    const auto file = valueOf(word, "file=");
    return file && fs::exists(*file) && readFile(*file).find("_ZN3cui7backend") != std::string::npos;
  });
}

}  // namespace cui::cli
