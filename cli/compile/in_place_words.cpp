#include "cli/compile/in_place_words.h"

#include <utility>

#include "cli/base/replaced_text.h"
#include "cli/compile/in_place_kept_lines.h"
#include "cli/compile/in_place_kernel_lines.h"
#include "cli/compile/in_place_lines.h"
#include "cli/compile/in_place_space_lines.h"
#include "cli/compile/ptx_calls.h"
#include "cuinstrument/format/held_chunk.h"

namespace cui::cli::in_place {
namespace {

std::string textOf(const Header& header) {
  std::string text = replaced(writeHeader, "<shape>", header.shape);
  text = replaced(text, "<high half>", header.highHalf);
  text = replaced(text, "<mask>", header.mask);
  text = replaced(text, "<slot>", header.hasTable ? "<r4>" : "%cuihn");
  text = replaced(text, "<slots>", header.hasTable ? number(format::mostHeldSlots) : "1");
  return replaced(text, "<room>", header.hasTable ? "<room of five>" : "<room of one>");
}

}  // namespace

std::string holdText(const std::string& slots) {
  return callText(std::string(unitOperand).append(heldOperand), "<holds>",
                  {{'d', "%unit"}, {'d', "%held"}, {'w', slots.c_str()}}, "<d1>", true);
}

std::string shapeOf(const WrittenAccess& access, format::AddressForm form) {
  const unsigned flags = format::makeFlags(format::RecordType::access, form, access.space, false);
  return std::to_string(format::makeWarpAndBytes(0, access.bytes) | flags << 16);
}

bool isOfShared(const WrittenAccess& access) {
  return access.space == format::Space::shared;
}

std::string ofAccess(std::string_view text, const WrittenAccess& access) {
  const bool shared = isOfShared(access);
  const auto kept = [&access](std::string_view keep) { return std::string(access.keeps ? keep : ""); };
  const auto either = [shared](std::string_view here, std::string_view elsewhere) {
    return std::string(shared ? here : elsewhere);
  };
  const std::pair<const char*, std::string> parts[] = {
      {"<is line>", std::string(isLine)},
      {"<is as before>", std::string(isAsBefore)},
      {"<first's half>", either("", firstsHalf)},
      {"<part's half>", either("", partsHalf)},
      {"<distance>", either(distanceInShared, distanceAnywhere)},
      {"<product of lanes>",
       shared ? "mul.lo.s32 <r8>, <r6>, %cuihlane;" : "mul.wide.s32 <d1>, <r6>, %cuihlane;"},
      {"<product of part>", shared ? "mul.lo.s32 <r8>, <r6>, <r7>;" : "mul.wide.s32 <d1>, <r6>, <r7>;"},
      {"<is there>", either(isThereInShared, isThereAnywhere)},
      {"<distance fits>", shared ? std::string() : replaced(distanceFits, "<who>", "-1")},
      {"<distance of part fits>", shared ? std::string() : replaced(distanceFits, "<who>", "<m>")},
      {"<is in row>", either(isInRowOfShared, isInRowAnywhere)},
      {"<place of rows>", either(placeOfRowsOfShared, placeOfRowsAnywhere)},
      {"<keep line>", kept(keepLine)},
      {"<keep rows>", kept(keepRows)},
      {"<keep nothing>", kept(keepNothing)},
      {"<shape as before>", std::string(shapeAsBefore)},
      {"<alone as before>", replaced(hasNoDistanceAlone, "<distance of them>", "<asks distance>")},
      {"<alone>", replaced(hasNoDistanceAlone, "<distance of them>", "<r6>")},
      {"<room for it>", std::string(askForRoom)},
      {"<which of them>", std::string(whichOfThem)},
  };
  std::string result(text);
  for (const auto& [name, part] : parts) result = replaced(result, name, part);
  return result;
}

std::string withHeader(std::string_view text, const Header& header) {
  return replaced(text, "<write header>", textOf(header));
}

std::string ofSecond(std::string_view text) {
  return replaced(text, "<", "<2nd ");
}

std::string_view addressOf(const WrittenAccess& access) {
  return isOfShared(access) ? inShared : anywhere;
}

}  // namespace cui::cli::in_place
