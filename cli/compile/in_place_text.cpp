#include "cli/compile/in_place_text.h"

#include "cli/base/replaced_text.h"
#include "cli/compile/in_place_kept_lines.h"
#include "cli/compile/in_place_kernel_lines.h"
#include "cli/compile/in_place_lines.h"
#include "cli/compile/in_place_words.h"
#include "cli/compile/logged_lines.h"
#include "cli/compile/ptx_calls.h"
#include "cli/compile/split_bodies.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/held_chunk.h"
#include "cuinstrument/format/lane_log.h"

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

std::string countsAway(unsigned sites, unsigned first) {
  std::string text;
  for (unsigned i = 0; i < sites; ++i)
    text += "st.local.u32 [%away+" + number(first + 4 * i) + "], %cuihc" + number(i) + ";\n";
  return text;
}
/// Places that no access has, in shared memory.
std::string noRuleOf(unsigned rules) {
  std::string text;
  for (unsigned i = 0; i < rules * std::size(wordsOfRule); ++i)
    text += "mov.u32 %cuihk" + number(i) + ", -1;\n";
  return text;
}
/// Nor where a loop's access is counted.
std::string nothingKnown(const InPlaceText::Counts& counts) {
  std::string text = noRuleOf(counts.rules);
  for (unsigned i = 0; i < counts.loops; ++i) text += "mov.u64 %cuihg" + number(i) + ", 0;\n";
  return text;
}
std::string many(unsigned count) {
  return "<" + number(count) + ">;\n";
}

}  // namespace

/// Where a site's count is while it is away, behind what a kernel's beginning puts there. Behind all of them
/// is room for the sites' keys.
unsigned InPlaceText::placeAway(unsigned site) {
  return 16 + 4 * site;
}
std::string InPlaceText::countsAndKeysAway(const Counts& counts) {
  std::string text = countsAway(counts.sites(), placeAway(0));
  for (unsigned i = 0; i < counts.sites(); ++i)
    text += "st.local.u32 [%away+" + number(placeAway(counts.sites() + i)) + "], " +
            number(counts.siteKeys[i]) + ";\n";
  return text;
}
std::string InPlaceText::countsBack(const Counts& counts) {
  std::string text;
  for (unsigned i = 0; i < counts.sites(); ++i)
    text += "ld.local.u32 %cuihc" + number(i) + ", [%away+" + number(placeAway(i)) + "];\n";
  return text;
}

/// Behind the keys is where the lane's log goes on.
std::string InPlaceText::ofLog(std::string_view text, const Counts& counts) {
  return replaced(text, "<log away>", number(placeAway(2 * counts.sites())));
}

InPlaceText::InPlaceText(std::string_view state, unsigned form)
    : state_(state),
      record_(recorderName("13recordAndHold", form, "yRKNS0_10DeviceUnitEjyjyj")),
      hold_(recorderName("8holdAnew", formOfAnyMode, "yRKNS0_10DeviceUnitEyj")),
      putBack_(recorderName("12putChunkBack", formOfAnyMode, "vRKNS0_10DeviceUnitEy")),
      findCounts_(recorderName("10findCounts", formOfAnyMode, "yRKNS0_10DeviceUnitEjj")),
      end_(recorderName("10endInPlace", formOfAnyMode, "vRKNS0_10DeviceUnitEyPKjj")),
      logAnew_(recorderName("7logAnew", formOfAnyMode, "jRKNS0_10DeviceUnitEjjPKyjPjj")),
      endLogged_(recorderName("9endLogged", formOfAnyMode, "vRKNS0_10DeviceUnitEyPKjjj")) {}

std::string InPlaceText::declarations() const {
  return externDeclaration(record_, "dwdwdw", ".b64") + externDeclaration(hold_, "ddw", ".b64") +
         externDeclaration(putBack_, "dd") + externDeclaration(findCounts_, "dww", ".b64") +
         externDeclaration(end_, "dddw") + externDeclaration(logAnew_, "dwwdwdw", ".b32") +
         externDeclaration(endLogged_, "dddww");
}

std::string InPlaceText::registers(const Counts& counts) const {
  const unsigned accesses = counts.accesses, calls = counts.calls, rules = counts.rules, loops = counts.loops;
  std::string text =
      "\t.reg .b32 \t%cuihn, %cuihr, %cuihlane, %cuihbelow, %cuihlaunch, %cuihblock, %cuihwarp;\n\t.reg .b32 "
      "\t%cuihc" +
      many(counts.sites()) + "\t.reg .pred \t%cuihq" + many(accesses * predicatesOfAccess) +
      "\t.reg .b32 \t%cuihw" + many(accesses * wordsOfAccess) + "\t.reg .b64 \t%cuihd" +
      many(accesses * doublesOfAccess);
  text += "\t.reg .b32 \t%cuihx" + many(calls * static_cast<unsigned>(std::size(wordsOfCall)));
  text += "\t.reg .pred \t%cuihy" + many(calls * static_cast<unsigned>(std::size(predicatesOfCall)));
  if (rules != 0)
    text += "\t.reg .b32 \t%cuihk" + many(rules * static_cast<unsigned>(std::size(wordsOfRule)));
  if (counts.logs()) text += "\t.reg .b32 \t%cuihlog, %cuihtag;\n\t.reg .b64 \t%cuihrows;\n";
  if (loops != 0) text += "\t.reg .b64 \t%cuihg" + many(loops) + "\t.reg .b64 \t%cuihf" + many(loops);
  return text + memoryAway(placeAway(2 * counts.sites()) + (counts.logs() ? 8 : 0));
}

std::string InPlaceText::beginning(const Counts& counts, bool ofProgram) const {
  std::string text = "{" + std::string(kernelBegins) + "}" + ofMemoryAway(valuesAway).append(nothingHeld);
  constexpr const char* asked[] = {"ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z"};
  for (unsigned i = 0; i < std::size(asked); ++i)
    text = replaced(text, "<" + std::string(asked[i]) + ">",
                    ofProgram ? "%cuir" + number(i + 1) : "%" + std::string(asked[i]));
  for (unsigned i = 0; i < counts.sites(); ++i) text += "mov.u32 %cuihc" + number(i) + ", 0;\n";
  text += nothingKnown(counts);
  if (counts.logs())
    text += replaced(logBegins, "<find rows>", findRows).append(ofMemoryAway(ofLog(logAway, counts)));
  return filled(text, {});
}

InPlaceText::Parts InPlaceText::partsOf(const WrittenAccess& access) const {
  const CountedSite& site = access.site;
  Parts parts = {{"<forget rules>", noRuleOf(access.rules)},
                 {"<records>", record_},
                 {"<holds>", hold_},
                 {"<puts back>", putBack_},
                 {"<ends>", end_},
                 {"<finds counts>", findCounts_},
                 {"<logs anew>", logAnew_},
                 {"<ends log>", endLogged_},
                 {"<left mask>", number(format::logLeftMask)},
                 {"<row above>", number(format::logRowShift)},
                 {"<row's bytes>", number(format::logRowBytes)},
                 {"<entry's bytes>", number(format::logEntryBytes)},
                 {"<launch above>", number(format::logLaunchShift)},
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
                 {"<recorded blocks at>", number(format::recordedBlocksAt)},
                 {"<all blocks>", number(format::allBlocks)},
                 {"<order>", number(format::sampleOrder(1))},
                 {"<others>", std::string(secondBody)},
                 {"<room of one>", number(1u << format::heldRoomShift)},
                 {"<room of two>", number(2u << format::heldRoomShift)},
                 {"<room of five>", number(format::mostHeldSlots << format::heldRoomShift)},
                 {"<tag above>", number(0x4210)},
                 {"<rows above>", number(format::rowsShift - 32)},
                 {"<row stride>", number((1u << format::rowStrideBits) - 1)},
                 {"<part of rows>", number(static_cast<unsigned>(format::partOfRows >> 32))},
                 {"<one led>", number(1u << format::ledShift)},
                 {"<first site at>", number(format::firstSiteAt)},
                 {"<site>", number(site.siteKey >> format::keyShift)}};
  for (const char* label :
       {"again", "part", "otherwise", "part otherwise", "no room", "too far", "rows", "no rows", "table",
        "done", "past", "one by one", "first is none", "parts", "both done"})
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
  return parts;
}
std::string InPlaceText::filled(std::string_view text, const WrittenAccess& access) const {
  std::string result(text);
  for (const auto& [name, value] : partsOf(access)) result = replaced(result, name, value);
  return indented(result);
}
std::string InPlaceText::filled(std::string_view text, const WrittenAccess& first,
                                const WrittenAccess& second) const {
  std::string result(text);
  for (const auto& [name, value] : partsOf(second)) result = replaced(result, ofSecond(name), value);
  return filled(result, first);
}

std::string InPlaceText::question(unsigned call) const {
  WrittenAccess none;
  none.call = call;
  return filled(replaced(whoComes, "<which of them>", whichOfThem), none);
}
std::string InPlaceText::access(const WrittenAccess& access) const {
  const std::string text = access.asks ? withHeader(writeAsBefore, asBefore) : withHeader(writeLine, ofLine);
  const std::string all = std::string(addressOf(access)).append(text).append("<done>:\n");
  return filled(replaced(ofAccess(all, access), "<forget next>", ""), access);
}
std::string InPlaceText::otherwise(const WrittenAccess& access) const {
  const std::string line =
      access.asks ? withHeader(writeLine, ofLine).append("bra.uni <done>;\n") : std::string();
  return filled(replaced(ofAccess(line + rest(), access), "<forget next>", ""), access);
}
std::string InPlaceText::recordCall() {
  return callText(std::string(unitOperand).append(keyOperand).append(heldOperand), "<records>",
                  {{'d', "%unit"},
                   {'w', "%key"},
                   {'d', "<address>"},
                   {'w', "<bytes>"},
                   {'d', "%held"},
                   {'w', "<counted>"}},
                  "<d1>", true);
}
/// What is asked where the access is none of a line.
std::string InPlaceText::rest() const {
  const std::string hold = holdText(number(format::mostHeldSlots));
  const std::string record = recordCall();
  return withHeader(writePart, ofLine) +
         replaced(replaced(holdOthers, "<hold anew>", hold), "<record>", record) +
         withHeader(writeRows, {"<shape of rows>", "<r2>", "<r3>"}) +
         withHeader(writeTable, {"<shape of table>", "<r1>", "<m>", true});
}

std::string InPlaceText::putBack(unsigned place) const {
  WrittenAccess none;
  none.number = place;
  const std::string call = callText(std::string(unitOperand) + std::string(heldOperand), "<puts back>",
                                    {{'d', "%unit"}, {'d', "%held"}});
  return filled(ifAnyHas("%cuihr", call + "mov.u32 %cuihr, 0;\n"), none);
}
std::string InPlaceText::putAway(const Counts& counts) const {
  const std::string log = counts.logs() ? ofLog(logAway, counts) : std::string();
  return filled(ofMemoryAway(countsAway(counts.sites(), placeAway(0)).append(log)), {});
}
std::string InPlaceText::takeBack(const Counts& counts) const {
  std::string text = std::string(valuesBack)
                         .append(countsBack(counts))
                         .append(counts.logs() ? ofLog(logBack, counts) : std::string());
  const std::string rows(counts.logs() ? findRows : "");
  return filled(ofMemoryAway(text).append(nothingHeld).append(nothingKnown(counts)).append(rows), {});
}
std::string InPlaceText::end(const Counts& counts) const {
  std::string away = countsAndKeysAway(counts);
  const std::string operands = replaced(std::string(unitOperand).append(heldOperand).append(countsOperand),
                                        "<counts away>", number(placeAway(0)));
  const std::string sites = number(counts.sites());
  const CallOperand unit = {'d', "%unit"}, held = {'d', "%held"}, counted = {'d', "%counts"};
  away += counts.logs() ? callText(operands, "<ends log>",
                                   {unit, held, counted, {'w', sites.c_str()}, {'w', "%cuihlog"}})
                        : callText(operands, "<ends>", {unit, held, counted, {'w', sites.c_str()}});
  return filled(ofMemoryAway(away), {});
}

}  // namespace cui::cli
