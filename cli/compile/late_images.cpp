#include "cli/compile/late_images.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>

#include "cli/base/files.h"
#include "cli/base/process.h"
#include "cli/base/words.h"
#include "cli/compile/linking_toolchain.h"
#include "cli/compile/nvcc_line.h"
#include "cli/compile/plain_code.h"
#include "cli/compile/plain_kernels.h"
#include "cli/compile/ptx_text.h"
#include "cli/compile/unit_texts.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view dataBegin = "\".quad ", dataEnd = "\\n\"";

/// `".quad 0x00100001ba55ed50,0x0000000000001bf8\n"`
bool isData(std::string_view line) {
  return line.substr(0, dataBegin.size()) == dataBegin && line.size() > dataBegin.size() + dataEnd.size() &&
         line.substr(line.size() - dataEnd.size()) == dataEnd;
}

/// `extern const unsigned long long fatbinData[897];`: nobody asks how many.
std::string withoutCount(std::string_view line) {
  constexpr std::string_view declaration = "extern const unsigned long long ";
  const std::size_t open = line.find('['), close = line.find(']');
  const bool counts = line.substr(0, declaration.size()) == declaration && open < close;
  if (!counts || close == std::string_view::npos) return std::string(line);
  return std::string(line.substr(0, open + 1)) + std::string(line.substr(close));
}

/// fatbinary's words for what it embeds, with another image, into another file.
struct Line {
  Line(const std::string& line, const std::string& image, const std::string& file) {
    const auto is = [](const std::string& word, std::string_view name) {
      return word.compare(0, name.size(), name) == 0;
    };
    for (const std::string& word : splitWords(line)) {
      if (is(word, "--embedded-fatbin=")) {
        words.push_back("--embedded-fatbin=" + file);
        embeds = true;
      } else if (!is(word, "--image") && !is(word, "--create=")) {
        words.push_back(word);
      }
      relocatable |= word == "--device-c";
      known &= !is(word, "--image") || is(word, "--image3=kind=elf,") || is(word, "--image3=kind=ptx,");
    }
    words.push_back("--image3=kind=ptx,sm=90,file=" + image);
  }

  Words words;
  bool embeds = false, relocatable = false, known = true;
};

/// What our fatbinary puts behind the images.
std::string completed(const std::string& embedded, const std::vector<fs::path>& ptx,
                      const LinkingToolchain& toolchain) {
  bool plain = false;
  std::set<std::string> common;
  for (const fs::path& file : ptx) {
    const std::string unit = readFile(file);
    const UnitTexts texts = callsRecorder(unit) ? unitTexts(unit) : UnitTexts{unit, {}};
    plain |= !texts.plain.empty();
    std::set<std::string> names = otherKernelsIn(texts.recording), both;
    std::set_intersection(names.begin(), names.end(), common.begin(), common.end(),
                          std::inserter(both, both.end()));
    common = std::move(file == ptx.front() ? names : both);
  }
  return withKernelsRegistered(plain ? withPlainImages(embedded, embedded) : embedded, common,
                               toolchain.plainLaunch().string());
}

}  // namespace

EmbeddedImages takenApart(std::string_view embedded, const fs::path& files) {
  EmbeddedImages result;
  bool within = false;
  for (std::string_view rest = embedded; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!isData(line)) {
      result.text += withoutCount(line) + '\n';
      within = false;
      continue;
    }
    if (!within) {
      result.text +=
          "\".include \\\"" + files.string() + '.' + std::to_string(result.images.size()) + "\\\"\\n\"\n";
      result.images.emplace_back();
      within = true;
    }
    std::string_view assembly = line.substr(1);
    assembly.remove_suffix(dataEnd.size());
    result.images.back().append(assembly).append("\n");
  }
  return result;
}

std::optional<std::string> textWithoutImages(const std::string& line, const std::vector<fs::path>& ptx,
                                             const fs::path& folder, const fs::path& files) {
  const fs::path nothing = folder / "nothing.ptx", text = folder / "nothing.fatbin.c";
  Line changed(line, nothing.string(), text.string());
  const bool quotes = files.string().find_first_of("\"\\") != std::string::npos;
  if (!changed.embeds || !changed.known || ptx.empty() || quotes) return std::nullopt;
  fs::path program = programOf(changed.words.front());
  std::error_code error;
  const bool ours = fs::equivalent(program, "/proc/self/exe", error);
  const char* const toolchain = std::getenv(toolchainVariable);
  if (ours && toolchain == nullptr) return std::nullopt;
  if (ours) program = LinkingToolchain(toolchain).fatbinary();
  changed.words.front() = program.string();
  replaceFile(nothing, ".version 8.0\n.target sm_90\n.address_size 64\n");
  if (!runProcess(changed.words, Capture::everything).succeeded()) return std::nullopt;
  std::string embedded = readFile(text);
  if (ours && !changed.relocatable) embedded = completed(embedded, ptx, LinkingToolchain(toolchain));
  EmbeddedImages result = takenApart(embedded, files);
  if (result.images.empty()) return std::nullopt;
  return std::move(result.text);
}

}  // namespace cui::cli
