#include "cli/compile/in_place_text.h"

#include <bit>
#include <utility>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cli/compile/in_place_lines.h"
#include "cli/compile/in_place_loop_lines.h"
#include "cli/compile/ptx_calls.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/held_chunk.h"

namespace cui::cli {

using namespace in_place;

namespace {

/// Of an access.
constexpr unsigned predicatesOfAccess = 3, wordsOfAccess = 9, doublesOfAccess = 2;
/// Of a call.
constexpr const char* wordsOfCall[] = {"m", "t", "lanes"};
constexpr const char* predicatesOfCall[] = {"leads", "whole"};
/// Of a rule that is kept.
constexpr const char* wordsOfRule[] = {"place", "distance", "rows"};

std::string number(unsigned value) {
  return std::to_string(value);
}
/// A header's text, with what it takes of the chunk.
struct Header {
  std::string_view shape;
  std::string_view highHalf = "<r1>";  ///< of the address
  std::string_view mask = "<m>";       ///< what stands in its place
  enum class Behind { nothing, table, plainTable } behind = Behind::nothing;
};
std::string textOf(const Header& header) {
  std::string text = replaced(writeHeader, "<shape>", header.shape);
  text = replaced(text, "<high half>", header.highHalf);
  text = replaced(text, "<mask>", header.mask);
  const bool alone = header.behind == Header::Behind::nothing;
  const bool plain = header.behind == Header::Behind::plainTable;
  text = replaced(text, "<slot>", alone ? "%cuihn" : "<r4>");
  text = replaced(text, "<slots>", alone ? "1" : plain ? "<plain slots>" : number(format::mostHeldSlots));
  return replaced(text, "<room>", alone ? "<room of one>" : plain ? "<plain room>" : "<room of five>");
}
std::string shapeOf(const WrittenAccess& access, format::AddressForm form) {
  const unsigned flags = format::makeFlags(format::RecordType::access, form, access.space, false);
  return std::to_string(format::makeWarpAndBytes(0, access.bytes) | flags << 16);
}
bool isOfShared(const WrittenAccess& access) {
  return access.space == format::Space::shared;
}
/// Of a table of where lanes are.
format::AddressForm plainForm(const WrittenAccess& access) {
  return isOfShared(access) ? format::AddressForm::offsets32 : format::AddressForm::full64;
}
/// With what depends on the space, and on whether a rule is kept.
std::string ofAccess(std::string_view text, const WrittenAccess& access) {
  const bool shared = isOfShared(access);
  const auto kept = [&access](std::string_view keep) { return std::string(access.keeps ? keep : ""); };
  const auto either = [shared](std::string_view inShared, std::string_view anywhere) {
    return std::string(shared ? inShared : anywhere);
  };
  const unsigned plainSlots =
      1 + format::payloadSlots(
              format::makeFlags(format::RecordType::access, plainForm(access), access.space, false),
              access.bytes);
  const std::pair<const char*, std::string> parts[] = {
      {"<plain slots>", number(plainSlots)},
      {"<plain room>", number(plainSlots << format::heldRoomShift)},
      {"<lane's bytes>", either("4", "8")},
      {"<lane's type>", either("u32", "u64")},
      {"<lane's place>", either("<r0>", "<address>")},
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
      {"<alone>", std::string(hasNoDistanceAlone)},
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
/// Where a site's count is while it is away, behind what kernelBegins puts there.
unsigned placeAway(unsigned site) {
  return 16 + 4 * site;
}
/// Places that no access has, in shared memory, and that no loop's access is counted at.
std::string nothingKnown(const InPlaceText::Counts& counts) {
  std::string text;
  for (unsigned i = 0; i < counts.rules * std::size(wordsOfRule); ++i)
    text += "mov.u32 %cuihk" + number(i) + ", -1;\n";
  for (unsigned i = 0; i < counts.loops; ++i) text += "mov.u64 %cuihg" + number(i) + ", 0;\n";
  return text;
}
/// To <d1> goes what the lanes hold from there on.
std::string holdText(const std::string& slots) {
  return callText(std::string(unitOperand).append(heldOperand), "<holds>",
                  {{'d', "%unit"}, {'d', "%held"}, {'w', slots.c_str()}}, "<d1>", true);
}
std::string many(unsigned count) {
  return "<" + number(count) + ">;\n";
}

}  // namespace

InPlaceText::InPlaceText(std::string_view state, unsigned form)
    : state_(state),
      record_(recorderName("13recordAndHold", form, "yRKNS0_10DeviceUnitEjyjyj")),
      hold_(recorderName("8holdAnew", formOfAnyMode, "yRKNS0_10DeviceUnitEyj")),
      putBack_(recorderName("12putChunkBack", formOfAnyMode, "vRKNS0_10DeviceUnitEy")),
      count_(recorderName("10addCounted", formOfAnyMode, "vRKNS0_10DeviceUnitEjj")),
      findCounts_(recorderName("10findCounts", formOfAnyMode, "yRKNS0_10DeviceUnitEjj")) {}

std::string InPlaceText::declarations() const {
  return externDeclaration(record_, "dwdwdw", ".b64") + externDeclaration(hold_, "ddw", ".b64") +
         externDeclaration(putBack_, "dd") + externDeclaration(count_, "dww") +
         externDeclaration(findCounts_, "dww", ".b64");
}

std::string InPlaceText::registers(const Counts& counts) const {
  const auto [sites, accesses, calls, rules, loops] = counts;
  std::string text =
      "\t.reg .b32 \t%cuihn, %cuihr, %cuihlane, %cuihbelow, %cuihlaunch, %cuihblock, %cuihwarp;\n\t.reg .b32 "
      "\t%cuihc" +
      many(sites) + "\t.reg .pred \t%cuihq" + many(accesses * predicatesOfAccess) + "\t.reg .b32 \t%cuihw" +
      many(accesses * wordsOfAccess) + "\t.reg .b64 \t%cuihd" + many(accesses * doublesOfAccess);
  text += "\t.reg .b32 \t%cuihx" + many(calls * static_cast<unsigned>(std::size(wordsOfCall)));
  text += "\t.reg .pred \t%cuihy" + many(calls * static_cast<unsigned>(std::size(predicatesOfCall)));
  if (rules != 0)
    text += "\t.reg .b32 \t%cuihk" + many(rules * static_cast<unsigned>(std::size(wordsOfRule)));
  if (loops != 0) text += "\t.reg .b64 \t%cuihg" + many(loops) + "\t.reg .b64 \t%cuihf" + many(loops);
  return text + memoryAway(placeAway(sites));
}

std::string InPlaceText::beginning(const Counts& counts, bool ofProgram) const {
  std::string text = "{" + std::string(kernelBegins) + "}" + ofMemoryAway(valuesAway).append(nothingHeld);
  constexpr const char* asked[] = {"ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z"};
  for (unsigned i = 0; i < std::size(asked); ++i)
    text = replaced(text, "<" + std::string(asked[i]) + ">",
                    ofProgram ? "%cuir" + number(i + 1) : "%" + std::string(asked[i]));
  for (unsigned i = 0; i < counts.sites; ++i) text += "mov.u32 %cuihc" + number(i) + ", 0;\n";
  text += nothingKnown(counts);
  return filled(text, {}, {});
}

std::string InPlaceText::filled(std::string_view text, const CountedSite& site,
                                const WrittenAccess& access) const {
  std::vector<std::pair<std::string, std::string>> parts = {
      {"<records>", record_},
      {"<holds>", hold_},
      {"<puts back>", putBack_},
      {"<counts>", count_},
      {"<finds counts>", findCounts_},
      {"<counted>", "%cuihc" + number(site.number)},
      {"<site key>", number(site.siteKey)},
      {"<state>", state_},
      {"<first key at>", number(format::firstKeyAt)},
      {"<zero at>", number(format::notesBarriersAt)},
      {"<pool at>", number(format::poolAt)},
      {"<address>", std::string(access.address)},
      {"<bytes>", number(access.bytes)},
      {"<shape of line>", shapeOf(access, format::AddressForm::affine)},
      {"<shape of rows>", shapeOf(access, format::AddressForm::rows)},
      {"<shape of table>", shapeOf(access, format::AddressForm::offsets32)},
      {"<shape of plain>", shapeOf(access, plainForm(access))},
      {"<plain table>", number(format::plainTable)},
      {"<room of plain>", number(format::plainTableSlots << format::heldRoomShift)},
      {"<large>", number(format::heldLarge)},
      {"<recorded blocks at>", number(format::recordedBlocksAt)},
      {"<all blocks>", number(format::allBlocks)},
      {"<room of one>", number(1u << format::heldRoomShift)},
      {"<room of five>", number(format::mostHeldSlots << format::heldRoomShift)},
      {"<tag above>", number(0x4210)},
      {"<rows above>", number(format::rowsShift - 32)},
      {"<row stride>", number((1u << format::rowStrideBits) - 1)},
      {"<part of rows>", number(static_cast<unsigned>(format::partOfRows >> 32))},
      {"<one led>", number(1u << format::ledShift)},
      {"<first site at>", number(format::firstSiteAt)},
      {"<site>", number(site.siteKey >> format::keyShift)}};
  for (const char* label :
       {"again", "plain part", "plain whole", "part by rule", "part", "otherwise", "part otherwise",
        "no room", "too far", "rows", "no rows", "table", "done", "past"})
    parts.emplace_back("<" + std::string(label) + ">",
                       "$L__cuih_" + replaced(label, " ", "_") + number(access.number));
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
  return filled(replaced(whoComes, "<which of them>", whichOfThem), {}, none);
}
std::string InPlaceText::access(const CountedSite& site, const WrittenAccess& access) const {
  std::string text(isOfShared(access) ? inShared : anywhere);
  if (access.asks)
    text += replaced(withHeader(writeAsBefore, {"<r5>", "<asks rows>"}), "<alone>",
                     replaced(hasNoDistanceAlone, "<distance of them>", "<asks distance>"));
  else
    text += withHeader(writeLine, {"<shape of line>"});
  return filled(ofAccess(text + "<done>:\n", access), site, access);
}
std::string InPlaceText::otherwise(const CountedSite& site, const WrittenAccess& access) const {
  std::string text;
  if (access.asks) text += withHeader(writeLine, {"<shape of line>"}) + "bra.uni <done>;\n";
  const auto asks = [](std::string_view lines, std::string_view label) {
    return replaced(replaced(lines, "<is of sample>", isOfSample), "<plain>", label);
  };
  text += asks(withHeader(writePart, {"<shape of line>"}), "<plain part>");
  const std::string hold = holdText(number(format::mostHeldSlots));
  const std::string record =
      callText(std::string(unitOperand).append(keyOperand).append(heldOperand), "<records>",
               {{'d', "%unit"},
                {'w', "%key"},
                {'d', "<address>"},
                {'w', "<bytes>"},
                {'d', "%held"},
                {'w', "<counted>"}},
               "<d1>", true);
  text += asks(replaced(replaced(holdOthers, "<hold anew>", hold), "<record>", record), "<plain whole>");
  text += withHeader(writeRows, {"<shape of rows>", "<r2>", "<r3>"});
  text += withHeader(writeTable, {"<shape of table>", "<r1>", "<m>", Header::Behind::table});
  const std::string table =
      withHeader(writePlainTable, {"<shape of plain>", "<r1>", "<m>", Header::Behind::plainTable});
  const auto plainTable = [&table](std::string_view label, std::string_view who, std::string_view otherwise) {
    return replaced(replaced(replaced(table, "<plain>", label), "<who>", who), "<by rule>", otherwise);
  };
  text += plainTable("<plain part>", "<m>", "<part by rule>") + plainTable("<plain whole>", "-1", "<rows>");
  return filled(replaced(ofAccess(text, access), "<distance of them>", "<r6>"), site, access);
}
std::string InPlaceText::filledOfLoop(std::string_view text, const AccessCall& call, unsigned loop) const {
  const unsigned count = call.gathered(), slots = 1 + count;
  const unsigned loopShape = format::makeWarpAndBytes(0, count) | format::markFlags(format::Mark::loop) << 16;
  const auto flags = [](format::AddressForm form, format::Space space) {
    return unsigned{format::makeFlags(format::RecordType::access, form, space, false)} << 16;
  };
  const auto operand = [&call](GatheredOperand which) { return std::string(call.operands[which]); };
  const std::pair<const char*, std::string> parts[] = {
      {"<is loop ready>", std::string(isLoopReady)},
      {"<where>", "%cuihg" + number(loop)},
      {"<d1>", "%cuihf" + number(loop)},
      {"<count>", number(count)},
      {"<slots of loop>", number(slots)},
      {"<room of loop>", number(slots << format::heldRoomShift)},
      {"<shape of loop>", number(loopShape)},
      {"<form of rows>", number(flags(format::AddressForm::rows, format::Space::generic))},
      {"<space above>", number(static_cast<unsigned>(std::countr_zero(
                            flags(format::AddressForm::affine, static_cast<format::Space>(1)))))},
      {"<space mask>", number((1u << format::keyShift) - 1)},
      {"<key shift>", number(format::keyShift)},
      {"<key>", operand(gatheredKey)},
      {"<first>", operand(gatheredFirst)},
      {"<second>", operand(gatheredSecond)},
      {"<row>", operand(gatheredRow)},
      {"<step>", operand(gatheredStep)},
      {"<bytes>", operand(gatheredBytes)},
      {"<times>", operand(gatheredTimes)},
      {"<result>", std::string(call.result)}};
  std::string result(text);
  for (const auto& [name, value] : parts) result = replaced(result, name, value);
  for (const char* label : {"again", "not ready", "done"})
    result = replaced(result, "<" + std::string(label) + ">",
                      "$L__cuih_loop_" + replaced(label, " ", "_") + number(loop));
  return filled(result, {}, {});
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
std::string InPlaceText::putBack(unsigned place) const {
  WrittenAccess none;
  none.number = place;
  const std::string call = callText(std::string(unitOperand) + std::string(heldOperand), "<puts back>",
                                    {{'d', "%unit"}, {'d', "%held"}});
  return filled(ifAnyHas("%cuihr", call + "mov.u32 %cuihr, 0;\n"), {}, none);
}
std::string InPlaceText::putAway(unsigned sites) const {
  std::string text;
  for (unsigned i = 0; i < sites; ++i)
    text += "st.local.u32 [%away+" + number(placeAway(i)) + "], %cuihc" + number(i) + ";\n";
  return filled(ofMemoryAway(text), {}, {});
}
std::string InPlaceText::takeBack(const Counts& counts) const {
  std::string text(valuesBack);
  for (unsigned i = 0; i < counts.sites; ++i)
    text += "ld.local.u32 %cuihc" + number(i) + ", [%away+" + number(placeAway(i)) + "];\n";
  return filled(ofMemoryAway(text).append(nothingHeld).append(nothingKnown(counts)), {}, {});
}
std::string InPlaceText::end(const CountedSite& site, unsigned place) const {
  WrittenAccess none;
  none.number = place;
  const std::string call = callText(std::string(unitOperand).append(keyOperand), "<counts>",
                                    {{'d', "%unit"}, {'w', "%key"}, {'w', "<counted>"}});
  return filled(ifAnyHas("<counted>", call), site, none);
}

}  // namespace cui::cli
