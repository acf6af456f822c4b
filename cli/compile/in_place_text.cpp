#include "cli/compile/in_place_text.h"

#include <utility>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cli/compile/in_place_lines.h"
#include "cli/compile/ptx_calls.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/held_chunk.h"

namespace cui::cli {

using namespace in_place;

namespace {

/// Of an access.
constexpr unsigned predicatesOfAccess = 3, wordsOfAccess = 9, doublesOfAccess = 2;
/// Of a call.
constexpr const char* wordsOfCall[] = {"m", "t", "rel", "one more"};
constexpr const char* predicatesOfCall[] = {"leads", "whole"};
/// Of a rule that is kept.
constexpr const char* wordsOfRule[] = {"place", "distance", "rows"};

std::string number(unsigned value) {
  return std::to_string(value);
}
/// A header's text, with what it takes of the chunk. `mask`: what stands in its mask's place.
std::string headerOf(std::string_view shape, std::string_view mask, bool hasTable) {
  std::string text = replaced(writeHeader, "<shape>", shape);
  text = replaced(text, "<mask>", mask);
  text = replaced(text, "<slots>", hasTable ? number(format::mostHeldSlots) : "1");
  return replaced(text, "<room>", hasTable ? "<room of five>" : "<room of one>");
}
std::string shapeOf(const WrittenAccess& access, format::AddressForm form) {
  const unsigned flags = format::makeFlags(format::RecordType::access, form, access.space, false);
  return std::to_string(format::makeWarpAndBytes(0, access.bytes) | flags << 16);
}
/// What the two questions have in common, by the space.
std::string withQuestions(std::string_view question, bool shared) {
  std::string text(question);
  text = replaced(text, "<first's half>", shared ? "" : firstsHalf);
  text = replaced(text, "<part's half>", shared ? "" : partsHalf);
  text = replaced(text, "<distance>", shared ? distanceInShared : distanceAnywhere);
  text = replaced(text, "<product>",
                  shared ? "mul.lo.s32 <r8>, <r6>, <rel>;" : "mul.wide.s32 <d1>, <r6>, <rel>;");
  text = replaced(text, "<q0 and q1>", shared ? comparisonInShared : comparisonAnywhere);
  return replaced(text, "<distance fits>", distanceFits);
}
bool isOfShared(const WrittenAccess& access) {
  return access.space == format::Space::shared;
}
/// What is kept of an access, if anything is.
std::string kept(const WrittenAccess& access, std::string_view text) {
  return access.keeps ? std::string(text) : std::string();
}
std::string many(unsigned count) {
  return "<" + number(count) + ">;\n";
}

}  // namespace

InPlaceText::InPlaceText(std::string_view state, unsigned form)
    : state_(state),
      record_(recorderName("13recordAndHold", form, "yRKNS0_10DeviceUnitEjyjyj")),
      hold_(recorderName("8holdAnew", formOfAnyMode, "yRKNS0_10DeviceUnitEy")),
      putBack_(recorderName("12putChunkBack", formOfAnyMode, "vRKNS0_10DeviceUnitEy")),
      count_(recorderName("10addCounted", formOfAnyMode, "vRKNS0_10DeviceUnitEjj")) {}

std::string InPlaceText::declarations() const {
  return externDeclaration(record_, "dwdwdw", ".b64") + externDeclaration(hold_, "dd", ".b64") +
         externDeclaration(putBack_, "dd") + externDeclaration(count_, "dww");
}

std::string InPlaceText::registers(unsigned sites, unsigned accesses, unsigned calls, unsigned rules) const {
  std::string text =
      "\t.reg .b32 \t%cuihn, %cuihr, %cuihlane, %cuihlaunch, %cuihblock, %cuihwarp;\n\t.reg .b32 "
      "\t%cuihc" +
      many(sites) + "\t.reg .pred \t%cuihq" + many(accesses * predicatesOfAccess) + "\t.reg .b32 \t%cuihw" +
      many(accesses * wordsOfAccess) + "\t.reg .b64 \t%cuihd" + many(accesses * doublesOfAccess);
  text += "\t.reg .b32 \t%cuihx" + many(calls * static_cast<unsigned>(std::size(wordsOfCall)));
  text += "\t.reg .pred \t%cuihy" + many(calls * static_cast<unsigned>(std::size(predicatesOfCall)));
  if (rules != 0)
    text += "\t.reg .b32 \t%cuihk" + many(rules * static_cast<unsigned>(std::size(wordsOfRule)));
  return text;
}

std::string InPlaceText::beginning(unsigned sites, unsigned rules, bool ofProgram) const {
  std::string text = "{" + std::string(kernelBegins) + "}" + std::string(nothingHeld);
  constexpr const char* asked[] = {"ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z"};
  for (unsigned i = 0; i < std::size(asked); ++i)
    text = replaced(text, "<" + std::string(asked[i]) + ">",
                    ofProgram ? "%cuir" + number(i + 1) : "%" + std::string(asked[i]));
  for (unsigned i = 0; i < sites; ++i) text += "mov.u32 %cuihc" + number(i) + ", 0;\n";
  // No offset in shared memory.
  for (unsigned i = 0; i < rules * std::size(wordsOfRule); ++i)
    text += "mov.u32 %cuihk" + number(i) + ", -1;\n";
  return filled(text, {}, {});
}

std::string InPlaceText::filled(std::string_view text, const CountedSite& site,
                                const WrittenAccess& access) const {
  std::vector<std::pair<std::string, std::string>> parts = {
      {"<records>", record_},
      {"<holds>", hold_},
      {"<puts back>", putBack_},
      {"<counts>", count_},
      {"<counted>", "%cuihc" + number(site.number)},
      {"<site key>", number(site.siteKey)},
      {"<state>", state_},
      {"<first key at>", number(format::firstKeyAt)},
      {"<zero at>", number(format::notesBarriersAt)},
      {"<pool at>", number(format::poolAt)},
      {"<key>", std::string(access.key)},
      {"<address>", std::string(access.address)},
      {"<bytes>", number(access.bytes)},
      {"<shape of line>", shapeOf(access, format::AddressForm::affine)},
      {"<shape of rows>", shapeOf(access, format::AddressForm::rows)},
      {"<shape of table>", shapeOf(access, format::AddressForm::offsets32)},
      {"<room of one>", number(1u << format::heldRoomShift)},
      {"<room of five>", number(format::mostHeldSlots << format::heldRoomShift)},
      {"<tag above>", number(0x4210)},
      {"<rows above>", number(format::rowsShift - 32)},
      {"<row stride>", number((1u << format::rowStrideBits) - 1)},
      {"<part of rows>", number(static_cast<unsigned>(format::partOfRows >> 32))},
      {"<full>", number(format::fullCounts)},
      {"<led too>", number(1 | 1u << format::ledShift)},
      {"<first site at>", number(format::firstSiteAt)},
      {"<site>", number(site.siteKey >> format::keyShift)}};
  for (const char* label : {"ask", "part", "asked", "ready", "rows", "table", "otherwise", "done", "past"})
    parts.emplace_back("<" + std::string(label) + ">",
                       "$L__cuih_" + std::string(label) + number(access.number));
  const auto registers = [&parts](const char* name, const char* begin, unsigned count, unsigned of) {
    for (unsigned i = 0; i < count; ++i)
      parts.emplace_back("<" + std::string(name) + number(i) + ">", begin + number(of * count + i));
  };
  registers("q", "%cuihq", predicatesOfAccess, access.number);
  registers("r", "%cuihw", wordsOfAccess, access.number);
  registers("d", "%cuihd", doublesOfAccess, access.number);
  for (unsigned i = 0; i < std::size(wordsOfCall); ++i)
    parts.emplace_back("<" + std::string(wordsOfCall[i]) + ">",
                       "%cuihx" + number(access.call * std::size(wordsOfCall) + i));
  for (unsigned i = 0; i < std::size(predicatesOfCall); ++i)
    parts.emplace_back("<" + std::string(predicatesOfCall[i]) + ">",
                       "%cuihy" + number(access.call * std::size(predicatesOfCall) + i));
  for (unsigned i = 0; i < std::size(wordsOfRule); ++i)
    for (const auto& [verb, rule] : {std::pair("<keeps ", access.keeps), std::pair("<asks ", access.asks)})
      if (rule)
        parts.emplace_back(std::string(verb) + wordsOfRule[i] + ">",
                           "%cuihk" + number(*rule * std::size(wordsOfRule) + i));
  std::string result(text);
  for (const auto& [name, value] : parts) result = replaced(result, name, value);
  return indented(result);
}

std::string InPlaceText::question(unsigned call) const {
  WrittenAccess none;
  none.call = call;
  return filled(whoComes, {}, none);
}
std::string InPlaceText::byParts(const WrittenAccess& access) const {
  std::string text(askByParts);
  text += withQuestions(askWarp, isOfShared(access));
  text += replaced(writeLine, "<write header>", headerOf("<shape of line>", "<m>", false));
  return replaced(text, "<keep line>", kept(access, keepLine));
}
std::string InPlaceText::access(const CountedSite& site, const WrittenAccess& access) const {
  std::string text(isOfShared(access) ? inShared : anywhere);
  text += askForRoom;
  if (access.asks)
    text += replaced(writeAsBefore, "<write header>", headerOf("<r5>", "<m>", false));
  else
    text += byParts(access);
  return filled(text + "<done>:\n", site, access);
}
std::string InPlaceText::otherwise(const CountedSite& site, const WrittenAccess& access) const {
  const bool shared = isOfShared(access);
  std::string text;
  if (access.asks) text += "<ask>:\n" + byParts(access) + "bra.uni <done>;\n";
  text += withQuestions(askPart, shared);
  std::string rows = replaced(writeRows, "<is in row>", shared ? isInRowOfShared : isInRowAnywhere);
  rows = replaced(rows, "<place of rows>", shared ? placeOfRowsOfShared : placeOfRowsAnywhere);
  rows = replaced(rows, "<keep rows>", kept(access, keepRows));
  text += replaced(rows, "<write header>", headerOf("<shape of rows>", "<r1>", false));
  text += replaced(writeTable, "<write header>", headerOf("<shape of table>", "<m>", true));
  const std::string before = std::string(unitOperand) + std::string(heldOperand);
  const std::string hold = callText(before, "<holds>", {{'d', "%unit"}, {'d', "%held"}}, "<d1>", true);
  const std::string record = callText(before, "<records>",
                                      {{'d', "%unit"},
                                       {'w', "<key>"},
                                       {'d', "<address>"},
                                       {'w', "<bytes>"},
                                       {'d', "%held"},
                                       {'w', "<counted>"}},
                                      "<d1>", true);
  std::string others = replaced(holdOthers, "<hold anew>", hold);
  others = replaced(others, "<room for it>", askForRoom);
  others = replaced(others, "<distance fits>", shared ? std::string_view() : distanceFits);
  text += replaced(others, "<record>", record);
  return filled(replaced(text, "<keep nothing>", kept(access, keepNothing)), site, access);
}
std::string InPlaceText::putBack(unsigned place) const {
  WrittenAccess none;
  none.number = place;
  const std::string call = callText(std::string(unitOperand) + std::string(heldOperand), "<puts back>",
                                    {{'d', "%unit"}, {'d', "%held"}});
  return filled(ifAnyHas("%cuihr", call + "mov.u32 %cuihr, 0;\n"), {}, none);
}
std::string InPlaceText::end(const CountedSite& site, unsigned place) const {
  WrittenAccess none;
  none.number = place;
  const std::string call = callText(std::string(unitOperand).append(keyOperand), "<counts>",
                                    {{'d', "%unit"}, {'w', "%key"}, {'w', "<counted>"}});
  return filled(ifAnyHas("<counted>", call), site, none);
}

}  // namespace cui::cli
