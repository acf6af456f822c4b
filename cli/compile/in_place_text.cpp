#include "cli/compile/in_place_text.h"

#include <utility>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cli/compile/ptx_calls.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/held_chunk.h"

namespace cui::cli {
namespace {

// In the texts: %cuihn the next slot of the lane's chunk, %cuihr room and tag, <counted> what it has counted
// of the site. Of a call: <m> who comes, <whole> whether all do, <rel> how far behind the lowest of these the
// lane is, <leads> whether it is that one. <q0> and on, <r0> and on and <d0> and on are the access's own.

/// With a word that is 0, and by a question to lanes: ptxas would ask for all this each time anew, and wait
/// for it.
constexpr std::string_view kernelBegins = R"(
.reg .b32 %zero, %word, %other;
.reg .b64 %grid;
ld.const.u32 %zero, [<state>+<zero at>];
mov.u32 %word, %laneid;
activemask.b32 %other;
shfl.sync.idx.b32 %cuihlane, %word, %word, 31, %other;
mov.u64 %grid, %gridid;
cvt.u32.u64 %cuihlaunch, %grid;
xor.b32 %cuihlaunch, %cuihlaunch, %zero;
mov.u32 %word, <ctaid.z>;
mov.u32 %other, <nctaid.y>;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, <ctaid.y>;
add.s32 %word, %word, %other;
mov.u32 %other, <nctaid.x>;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, <ctaid.x>;
add.s32 %word, %word, %other;
xor.b32 %cuihblock, %word, %zero;
mov.u32 %word, %tid.z;
mov.u32 %other, %ntid.y;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, %tid.y;
add.s32 %word, %word, %other;
mov.u32 %other, %ntid.x;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, %tid.x;
add.s32 %word, %word, %other;
shr.u32 %word, %word, 5;
and.b32 %word, %word, 31;
xor.b32 %cuihwarp, %word, %zero;
)";
constexpr std::string_view nothingHeld = R"(
mov.u32 %cuihn, 0;
mov.u32 %cuihr, 0;
)";

constexpr std::string_view whoComes = R"(
activemask.b32 <m>;
setp.eq.s32 <whole>, <m>, -1;
brev.b32 <t>, <m>;
bfind.shiftamt.u32 <t>, <t>;
sub.s32 <rel>, %cuihlane, <t>;
setp.eq.s32 <leads>, <rel>, 0;
selp.b32 <one more>, <led too>, 1, <leads>;
)";

/// To <r0>, <r1> go the halves of the lane's address.
constexpr std::string_view inShared = R"(
cvt.u32.u64 <r0>, <address>;
mov.u32 <r1>, 0;
)";
constexpr std::string_view anywhere = R"(
mov.b64 {<r0>, <r1>}, <address>;
)";
/// <q1>: there is room for the record, and for counting it, as far as the lane knows.
constexpr std::string_view askForRoom = R"(
setp.ge.or.u32 <q1>, %cuihr, <room of five>, !<leads>;
and.b32 <r8>, <counted>, <full>;
setp.eq.and.s32 <q1>, <r8>, 0, <q1>;
@!<whole> bra <part>;
)";
/// To <r2>, <r3> go the halves of the first lane's address, to <r4> its next slot, to <r5> the lane's
/// distance from it. All questions to other lanes stand together: each group of them costs a test for lanes
/// that have parted. A whole warp's: <q0> whether the lane is where the distance of the first two says, <r6>.
constexpr std::string_view askWarp = R"(
shfl.sync.idx.b32 <r2>, <r0>, 0, 31, -1;
shfl.sync.idx.b32 <r6>, <r0>, 1, 31, -1;
<first's half>
shfl.sync.idx.b32 <r4>, %cuihn, 0, 31, -1;
sub.s32 <r6>, <r6>, <r2>;
<distance>
<product>
<q0 and q1>
vote.sync.all.pred <q1>, <q1>, -1;
vote.sync.all.pred <q0>, <q0>, -1;
<asked>:
)";
constexpr std::string_view firstsHalf = R"(
shfl.sync.idx.b32 <r3>, <r1>, 0, 31, -1;
)";
/// Of a part: whether it is beside those before it.
constexpr std::string_view askPart = R"(
<part>:
selp.b32 <r2>, <r0>, 0, <leads>;
selp.b32 <r4>, %cuihn, 0, <leads>;
mov.u32 <r6>, <bytes>;
<part's half>
redux.sync.or.b32 <r2>, <r2>, <m>;
redux.sync.or.b32 <r4>, <r4>, <m>;
<distance>
<product>
<q0 and q1>
vote.sync.all.pred <q1>, <q1>, <m>;
vote.sync.all.pred <q0>, <q0>, <m>;
bra.uni <asked>;
)";
constexpr std::string_view partsHalf = R"(
selp.b32 <r3>, <r1>, 0, <leads>;
redux.sync.or.b32 <r3>, <r3>, <m>;
)";
/// Offsets in shared memory are so small that no product goes beyond a word.
constexpr std::string_view distanceInShared = R"(
mov.u32 <r3>, 0;
sub.s32 <r5>, <r0>, <r2>;
)";
constexpr std::string_view comparisonInShared = R"(
setp.eq.s32 <q0>, <r5>, <r8>;
)";
/// <q1>, too: that there is room for it in a word.
constexpr std::string_view distanceAnywhere = R"(
mov.b64 <d0>, {<r2>, <r3>};
sub.s64 <d0>, <address>, <d0>;
)";
constexpr std::string_view comparisonAnywhere = R"(
setp.eq.s64 <q0>, <d0>, <d1>;
mov.b64 {<r5>, <r8>}, <d0>;
shr.s32 <r7>, <r5>, 31;
setp.eq.and.s32 <q1>, <r7>, <r8>, <q1>;
)";

/// The record of a line, or else, behind the body, with a table of the distances. Lanes alone have no
/// distance.
constexpr std::string_view writeLine = R"(
@!<q1> bra <otherwise>;
@!<q0> bra <table>;
popc.b32 <r7>, <m>;
setp.eq.s32 <q2>, <r7>, 1;
selp.b32 <r6>, 0, <r6>, <q2>;
<write header>
<done>:
)";
constexpr std::string_view writeTable = R"(
<table>:
mov.u32 <r6>, 0;
<write header>
mad.wide.u32 <d1>, %cuihlane, 4, <d0>;
st.global.u32 [<d1>+32], <r5>;
bra.uni <done>;
)";
constexpr std::string_view writeHeader = R"(
ld.const.u64 <d0>, [<state>+<pool at>];
mad.wide.u32 <d0>, <r4>, 32, <d0>;
or.b32 <r7>, %cuihwarp, <shape>;
prmt.b32 <r7>, <r7>, %cuihr, <tag above>;
ld.const.u32 <r8>, [<state>+<first site at>];
add.s32 <r8>, <r8>, <site>;
prmt.b32 <r8>, <r8>, %cuihr, <tag above>;
@<leads> st.global.v4.u32 [<d0>], {<r2>, <r3>, <m>, <r7>};
@<leads> st.global.v4.u32 [<d0>+16], {<r8>, %cuihlaunch, %cuihblock, <r6>};
@<leads> add.s32 %cuihn, <r4>, <slots>;
@<leads> sub.s32 %cuihr, %cuihr, <room>;
add.s32 <counted>, <counted>, <one more>;
)";

constexpr std::string_view heldOperand = R"(
.reg .b64 %held;
mov.b64 %held, {%cuihn, %cuihr};
)";

/// Of an access.
constexpr unsigned predicatesOfAccess = 3, wordsOfAccess = 9, doublesOfAccess = 2;
/// Of a call.
constexpr const char* wordsOfCall[] = {"m", "t", "rel", "one more"};
constexpr const char* predicatesOfCall[] = {"leads", "whole"};

std::string number(unsigned value) {
  return std::to_string(value);
}
/// With its shape, and what it takes of the chunk.
std::string headerOf(format::AddressForm form) {
  const bool line = form == format::AddressForm::affine;
  std::string text = replaced(writeHeader, "<shape>", line ? "<shape of line>" : "<shape of table>");
  text = replaced(text, "<slots>", line ? "1" : number(format::mostHeldSlots));
  return replaced(text, "<room>", line ? "<room of one>" : "<room of five>");
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
  return replaced(text, "<q0 and q1>", shared ? comparisonInShared : comparisonAnywhere);
}
std::string many(unsigned count) {
  return "<" + number(count) + ">;\n";
}

}  // namespace

InPlaceText::InPlaceText(std::string_view state, unsigned form)
    : state_(state),
      record_(recorderName("13recordAndHold", form, "yRKNS0_10DeviceUnitEjyjyj")),
      putBack_(recorderName("12putChunkBack", formOfAnyMode, "vRKNS0_10DeviceUnitEy")),
      count_(recorderName("10addCounted", formOfAnyMode, "vRKNS0_10DeviceUnitEjj")) {}

std::string InPlaceText::declarations() const {
  return externDeclaration(record_, "dwdwdw", ".b64") + externDeclaration(putBack_, "dd") +
         externDeclaration(count_, "dww");
}

std::string InPlaceText::registers(unsigned sites, unsigned accesses, unsigned calls) const {
  std::string text =
      "\t.reg .b32 \t%cuihn, %cuihr, %cuihlane, %cuihlaunch, %cuihblock, %cuihwarp;\n\t.reg .b32 "
      "\t%cuihc" +
      many(sites) + "\t.reg .pred \t%cuihq" + many(accesses * predicatesOfAccess) + "\t.reg .b32 \t%cuihw" +
      many(accesses * wordsOfAccess) + "\t.reg .b64 \t%cuihd" + many(accesses * doublesOfAccess);
  text += "\t.reg .b32 \t%cuihx" + many(calls * static_cast<unsigned>(std::size(wordsOfCall)));
  text += "\t.reg .pred \t%cuihy" + many(calls * static_cast<unsigned>(std::size(predicatesOfCall)));
  return text;
}

std::string InPlaceText::beginning(unsigned sites, bool ofProgram) const {
  std::string text = "{" + std::string(kernelBegins) + "}" + std::string(nothingHeld);
  constexpr const char* asked[] = {"ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z"};
  for (unsigned i = 0; i < std::size(asked); ++i)
    text = replaced(text, "<" + std::string(asked[i]) + ">",
                    ofProgram ? "%cuir" + number(i + 1) : "%" + std::string(asked[i]));
  for (unsigned i = 0; i < sites; ++i) text += "mov.u32 %cuihc" + number(i) + ", 0;\n";
  return filled(text, {}, {});
}

std::string InPlaceText::filled(std::string_view text, const CountedSite& site,
                                const WrittenAccess& access) const {
  std::vector<std::pair<std::string, std::string>> parts = {
      {"<records>", record_},
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
      {"<shape of table>", shapeOf(access, format::AddressForm::offsets32)},
      {"<room of one>", number(1u << format::heldRoomShift)},
      {"<room of five>", number(format::mostHeldSlots << format::heldRoomShift)},
      {"<tag above>", number(0x4210)},
      {"<full>", number(format::fullCounts)},
      {"<led too>", number(1 | 1u << format::ledShift)},
      {"<first site at>", number(format::firstSiteAt)},
      {"<site>", number(site.siteKey >> format::keyShift)}};
  for (const char* label : {"table", "part", "asked", "otherwise", "done", "past"})
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
  std::string result(text);
  for (const auto& [name, value] : parts) result = replaced(result, name, value);
  return indented(result);
}

std::string InPlaceText::question(unsigned call) const {
  WrittenAccess none;
  none.call = call;
  return filled(whoComes, {}, none);
}
std::string InPlaceText::access(const CountedSite& site, const WrittenAccess& access) const {
  const bool shared = access.space == format::Space::shared;
  std::string text(shared ? inShared : anywhere);
  text.append(askForRoom).append(withQuestions(askWarp, shared));
  text += replaced(writeLine, "<write header>", headerOf(format::AddressForm::affine));
  return filled(text, site, access);
}
std::string InPlaceText::otherwise(const CountedSite& site, const WrittenAccess& access) const {
  const std::string call = callText(std::string(unitOperand) + std::string(heldOperand), "<records>",
                                    {{'d', "%unit"},
                                     {'w', "<key>"},
                                     {'d', "<address>"},
                                     {'w', "<bytes>"},
                                     {'d', "%held"},
                                     {'w', "<counted>"}},
                                    "<d0>", true);
  const std::string part = withQuestions(askPart, access.space == format::Space::shared);
  const std::string table = replaced(writeTable, "<write header>", headerOf(format::AddressForm::offsets32));
  return filled(part + table + "<otherwise>:\n" + call +
                    "mov.b64 {%cuihn, %cuihr}, <d0>;\nmov.u32 <counted>, 0;\n" + "bra.uni <done>;\n",
                site, access);
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
