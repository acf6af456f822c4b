#include "cli/compile/unit_texts.h"

#include <filesystem>
#include <utility>

#include "cli/base/cache.h"
#include "cli/base/files.h"
#include "cli/base/text_hash.h"
#include "cli/compile/calls_in_a_row.h"
#include "cli/compile/known_spaces.h"
#include "cli/compile/plain_code.h"
#include "cli/compile/plain_kernels.h"
#include "cli/compile/read_only_loads.h"
#include "cli/compile/room_beside.h"
#include "cli/compile/wide_products.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char *recordingFile = "recording.ptx", *plainFile = "plain.ptx";

}  // namespace

std::string knownAgain(std::string_view ptx) {
  return withWideProducts(withKnownSpaces(withReadOnlyLoads(ptx)));
}

UnitTexts unitTexts(std::string_view ptx) {
  // By what is in it: one file's PTX is compiled for several GPUs, maybe at the same time.
  if (plainCodeFolder().empty()) return {withCallsInARow(knownAgain(ptx)), {}};
  const fs::path kept = plainCodeFolder() / (textHash(ptx) + ".texts");
  UnitTexts texts;
  makeOnce(kept, [&](const fs::path& made) {
    const std::string unit = knownAgain(ptx);
    texts.plain = withoutRecorder(unit);
    texts.recording = withCallsInARow(withOtherKernels(unit, roomBeside(texts.plain.size())));
    fs::create_directory(made);
    replaceFile(made / recordingFile, texts.recording);
    replaceFile(made / plainFile, texts.plain);
  });
  if (texts.recording.empty()) texts = {readFile(kept / recordingFile), readFile(kept / plainFile)};
  return texts;
}

}  // namespace cui::cli
