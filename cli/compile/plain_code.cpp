#include "cli/compile/plain_code.h"

#include <cstdlib>
#include <set>

#include "cli/base/replaced_text.h"
#include "cli/base/text_hash.h"
#include "cli/compile/dead_blocks.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/silent_calls.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

std::string withoutDeadCodeIn(std::string_view ptx, std::string_view directive,
                              const std::set<std::string_view>& recorders) {
  return withBodies(ptx, directive, [&recorders](std::string_view, std::string_view body) {
    return withoutCalls(withoutDeadBlocks(body), recorders);
  });
}

}  // namespace

fs::path plainCodeFolder() {
  const char* const folder = std::getenv(plainCodeVariable);
  return folder == nullptr ? "" : folder;
}

fs::path plainCodeOf(const fs::path& cubin) {
  const fs::path folder = plainCodeFolder();
  if (folder.empty() || cubin.empty()) return {};
  return folder / (textHash(fs::absolute(cubin).lexically_normal().string()) + ".cubin");
}

std::string withoutRecorder(std::string_view ptx) {
  std::string result;
  result.reserve(ptx.size() + 4096);
  bool defined = false;
  forEachFunction(ptx, [&](std::string_view between, std::string_view declaration) {
    if (defined) between.remove_prefix(1);  // its semicolon
    defined = isRecordersExtern(declaration);
    if (defined) declaration.remove_prefix(externDirective.size());
    result.append(between).append(declaration).append(defined ? "{ ret; }" : "");
  });
  result = withoutQuestions(result, stateOf(result));
  const std::set<std::string_view> recorders = recordersExterns(ptx);
  return withoutDeadCodeIn(withoutDeadCodeIn(result, functionDirective, recorders), kernelDirective,
                           recorders);
}

std::string withPlainImages(std::string_view embedded, std::string_view plain) {
  // Of host_runtime.h, whose __cudaRegisterBinary() registers `&__fatDeviceText`, and of fatbinary.
  constexpr std::string_view wrapper = "__fatDeviceText", data = "fatbinData";
  for (const std::string_view text : {embedded, plain})
    for (const std::string_view name : {wrapper, data})
      if (text.find(name) == std::string_view::npos) return {};
  std::string second = replaced(replaced(plain, wrapper, "cuiPlainDeviceText"), data, "cuiPlainData");
  // GCC does not see that the assembly in between, with the images, leaves it in another section, and says
  // nothing of a section that it believes to be in: the wrapper would be code.
  second = replaced(replaced(second, "__CUDAFATBINSECTION", "CUI_PLAIN_SECTION"), ".nvFatBinSegment",
                    ".cuiPlainSegment");
  // Included at the end of the unit's host code, which has both names.
  return std::string(embedded) + second +
         "#define __fatDeviceText (*(cuiTakesPlainCode(&cui::unitTable()) ? &cuiPlainDeviceText : "
         "&__fatDeviceText))\n";
}

}  // namespace cui::cli
