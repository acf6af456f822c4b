#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "cli/base/replaced_text.h"
#include "cli/compile/in_place_loop_lines.h"
#include "cli/compile/in_place_text.h"
#include "cli/compile/in_place_words.h"
#include "cli/compile/ptx_calls.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/held_chunk.h"
#include "cuinstrument/format/record.h"

namespace cui::cli {

using namespace in_place;

/// Operands of the call, or registers that `findAccesses` sets.
struct InPlaceText::LoopWords {
  unsigned count = 0;
  std::string key, first, second, row, step, bytes, times;
  std::string_view findAccesses, findRows;
  std::string address;
};

InPlaceText::LoopWords InPlaceText::wordsOf(const AccessCall& call) {
  const auto operand = [&call](auto which) { return std::string(call.operands[which]); };
  if (call.isOfEvenAccess())
    return {1,
            operand(evenKey),
            "%first",
            "%second",
            "",
            operand(evenStep),
            operand(evenBytes),
            operand(evenTimes),
            findEvenAccess,
            hasNoRows,
            operand(evenAddress)};
  return {call.gathered(),
          operand(gatheredKey),
          operand(gatheredFirst),
          operand(gatheredSecond),
          operand(gatheredRow),
          operand(gatheredStep),
          operand(gatheredBytes),
          operand(gatheredTimes),
          "",
          findRowsOfLoop,
          ""};
}

std::string InPlaceText::filledOfLoop(std::string_view text, const AccessCall& call, unsigned loop) const {
  const LoopWords words = wordsOf(call);
  const unsigned slots = 1 + words.count;
  const unsigned loopShape = format::makeWarpAndBytes(0, words.count) | format::markFlags(format::Mark::loop)
                                                                            << 16;
  const auto flags = [](format::AddressForm form, format::Space space) {
    return unsigned{format::makeFlags(format::RecordType::access, form, space, false)} << 16;
  };
  const std::pair<const char*, std::string> parts[] = {
      {"<find accesses>", std::string(words.findAccesses)},
      {"<find rows>", std::string(words.findRows)},
      {"<is loop ready>", std::string(isLoopReady)},
      {"<where>", "%cuihg" + number(loop)},
      {"<d1>", "%cuihf" + number(loop)},
      {"<count>", number(words.count)},
      {"<slots of loop>", number(slots)},
      {"<room of loop>", number(slots << format::heldRoomShift)},
      {"<shape of loop>", number(loopShape)},
      {"<form of rows>", number(flags(format::AddressForm::rows, format::Space::generic))},
      {"<space above>", number(static_cast<unsigned>(std::countr_zero(
                            flags(format::AddressForm::affine, static_cast<format::Space>(1)))))},
      {"<space mask>", number((1u << format::keyShift) - 1)},
      {"<key shift>", number(format::keyShift)},
      {"<key>", words.key},
      {"<first>", words.first},
      {"<second>", words.second},
      {"<row>", words.row},
      {"<step>", words.step},
      {"<bytes>", words.bytes},
      {"<times>", words.times},
      {"<address>", words.address},
      {"<result>", std::string(call.result)}};
  std::string result(text);
  for (const auto& [name, value] : parts) result = replaced(result, name, value);
  for (const char* label : {"again", "not ready", "otherwise", "done"})
    result = replaced(result, "<" + std::string(label) + ">",
                      "$L__cuih_loop_" + replaced(label, " ", "_") + number(loop));
  return filled(result, {});
}
std::string InPlaceText::loop(const AccessCall& call, unsigned loop) const {
  return filledOfLoop(writeLoop, call, loop);
}
std::string InPlaceText::loopOtherwise(const AccessCall& call, unsigned loop,
                                       std::string_view otherwise) const {
  const std::string find = callText(unitOperand, "<finds counts>",
                                    {{'d', "%unit"}, {'w', "<key>"}, {'w', "<count>"}}, "<where>", true);
  std::string text = replaced(makeLoopReady, "<hold anew>", holdText("<slots of loop>"));
  text = replaced(replaced(text, "<find counts>", find), "<call>", otherwise);
  return filledOfLoop(text, call, loop);
}

}  // namespace cui::cli
