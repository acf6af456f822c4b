#include "cli/compile/tally_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cli/compile/ptx_calls.h"
#include "cuinstrument/format/access_key.h"

namespace cui::cli {
namespace {

// In the texts: <n> accesses of the lane | requests that it led << 16, <c> what these cost, <a> and <b>
// halves of the addresses of its first and last place, <w> the other half, ~0 before there is one; %cuil the
// lanes below; <q0> and on and <r0> and on the access's own.

constexpr std::string_view empty = R"(
mov.u32 <n>, 0;
mov.u32 <a>, -1;
mov.u32 <b>, 0;
mov.u32 <w>, <no window>;
mov.u<cost bits> <c>, 0;
)";

/// What it takes of the memory for that (memoryAway()), at <away>, behind the word that says which lanes are
/// below.
constexpr unsigned bytesAway = 32;
constexpr std::string_view tallyAway = R"(
st.local.v4.u32 [%away+<away>], {<n>, <a>, <b>, <w>};
st.local.u<cost bits> [%away+<cost away>], <c>;
)";
constexpr std::string_view tallyBack = R"(
ld.local.v4.u32 {<n>, <a>, <b>, <w>}, [%away+<away>];
ld.local.u<cost bits> <c>, [%away+<cost away>];
)";
constexpr std::string_view laneAway = "st.local.u32 [%away], %cuil;\n";
constexpr std::string_view laneBack = "ld.local.u32 %cuil, [%away];\n";
constexpr unsigned firstAway = 16;

/// Who comes, and whether the lane's tally takes its access: <q1>. There is room for 2^15 of them.
constexpr std::string_view question = R"(
activemask.b32 <r0>;
mov.b64 {<r1>, <r2>}, <address>;
and.b32 <r3>, <n>, 32768;
and.b32 <r4>, <r1>, <last byte>;
or.b32 <r3>, <r3>, <r4>;
)";
/// All of who comes in one window, which is that of the lane's tally, too, or else of none.
constexpr std::string_view windowQuestion = R"(
redux.sync.or.b32 <r5>, <r2>, <r0>;
setp.eq.s32 <q0>, <w>, -1;
selp.b32 <w>, <r2>, <w>, <q0>;
xor.b32 <r4>, <w>, <r2>;
or.b32 <r3>, <r3>, <r4>;
xor.b32 <r4>, <r5>, <r2>;
or.b32 <r3>, <r3>, <r4>;
)";
constexpr std::string_view answer = R"(
setp.eq.s32 <q1>, <r3>, 0;
)";

/// Of words less than 64 behind where the first one's row of the banks begins, the next row's and this one's
/// have a bit each. Whatever else is aligned, a function takes.
constexpr std::string_view wavefronts = R"(
and.b32 <r6>, <r1>, -128;
redux.sync.min.u32 <r6>, <r6>, <r0>;
sub.s32 <r6>, <r1>, <r6>;
shr.u32 <r6>, <r6>, 2;
setp.lt.and.u32 <q2>, <r6>, 64, <q1>;
mov.u32 <r8>, 1;
shl.b32 <r9>, <r8>, <r6>;
sub.s32 <r7>, <r6>, 32;
shl.b32 <r10>, <r8>, <r7>;
redux.sync.or.b32 <r9>, <r9>, <r0>;
redux.sync.or.b32 <r10>, <r10>, <r0>;
vote.sync.all.pred <q3>, <q2>, <r0>;
@!<q3> bra <elsewhere>;
and.b32 <r9>, <r9>, <r10>;
setp.ne.s32 <q4>, <r9>, 0;
selp.b32 <cost>, 2, 1, <q4>;
<add>:
)";
/// Of places less than 32 behind the first one, and of their sectors, each has a bit. Others are `apart`.
constexpr std::string_view sectors = R"(
redux.sync.min.u32 <r6>, <r1>, <r0>;
sub.s32 <r7>, <r1>, <r6>;
setp.lt.and.u32 <q2>, <r7>, <32 places>, <q1>;
vote.sync.all.pred <q3>, <q2>, <r0>;
@!<q3> bra <elsewhere>;
mov.u32 <r8>, 1;
shr.u32 <r7>, <r7>, <log bytes>;
shl.b32 <r9>, <r8>, <r7>;
redux.sync.or.b32 <r9>, <r9>, <r0>;
popc.b32 <r9>, <r9>;
shr.u32 <r6>, <r6>, 5;
shr.u32 <r7>, <r1>, 5;
sub.s32 <r7>, <r7>, <r6>;
shl.b32 <r10>, <r8>, <r7>;
redux.sync.or.b32 <r10>, <r10>, <r0>;
popc.b32 <r10>, <r10>;
<add>:
shl.b32 <r6>, <r9>, <log ideal>;
add.s32 <r6>, <r6>, <round up>;
and.b32 <r6>, <r6>, <ideal mask>;
or.b32 <r10>, <r10>, <r6>;
shl.b32 <r9>, <r9>, <places bits>;
mov.b64 <cost>, {<r10>, <r9>};
)";
/// Places anywhere. To <r9> go different places, to <r10> different sectors. Of places less than 128 behind
/// the first one, in less than 32 sectors, each has a bit of four words, as have the next levels of a tree;
/// of those in less than 2^askedBits sectors each bit is asked for. <r6> and <r7> are those of `sectors`.
constexpr std::string_view apart = R"(
<elsewhere>:
vote.sync.all.pred <q3>, <q1>, <r0>;
@!<q3> bra <other>;
setp.lt.u32 <q2>, <r7>, <128 places>;
vote.sync.all.pred <q3>, <q2>, <r0>;
@!<q3> bra <far>;
shr.u32 <r6>, <r6>, 5;
shr.u32 <r8>, <r1>, 5;
sub.s32 <r6>, <r8>, <r6>;
mov.u32 <r8>, 1;
shl.b32 <r10>, <r8>, <r6>;
redux.sync.or.b32 <r10>, <r10>, <r0>;
popc.b32 <r10>, <r10>;
shr.u32 <r7>, <r7>, <log bytes>;
shl.b32 <r9>, <r8>, <r7>;
redux.sync.or.b32 <r9>, <r9>, <r0>;
popc.b32 <r9>, <r9>;
<further places>
bra.uni <add>;
<far>:
shr.u32 <r9>, <r6>, 5;
shr.u32 <r8>, <r1>, 5;
sub.s32 <r8>, <r8>, <r9>;
setp.lt.u32 <q2>, <r8>, <asked sectors>;
vote.sync.all.pred <q3>, <q2>, <r0>;
@!<q3> bra <farther>;
mov.u32 <r6>, <r0>;
<bits of sectors>
popc.b32 <r9>, <r0>;
setp.eq.s32 <q2>, <r9>, <r10>;
@<q2> bra <add>;
<bits of places>
bra.uni <add>;
<farther>:
)";
/// Of places in so many sectors behind the first one's, which lanes have the same sector, and then the same
/// place in it, is asked bit by bit: these questions wait for none of the others.
constexpr unsigned askedBits = 8;
/// Of who has the same bits so far, <r6>, who has the same of that one, too.
constexpr std::string_view bitQuestion = R"(
and.b32 <r7>, <number>, <bit>;
setp.ne.s32 <q2>, <r7>, 0;
vote.sync.ballot.b32 <r9>, <q2>, <r0>;
selp.b32 <r7>, 0, -1, <q2>;
xor.b32 <r9>, <r9>, <r7>;
and.b32 <r6>, <r6>, <r9>;
)";
/// How many lanes are the lowest one of those that have the same, <r6>.
constexpr std::string_view different = R"(
and.b32 <r7>, <r6>, %cuil;
setp.eq.s32 <q2>, <r7>, 0;
vote.sync.ballot.b32 <count>, <q2>, <r0>;
popc.b32 <count>, <count>;
)";
constexpr std::string_view furtherPlaces = R"(
sub.s32 <r7>, <r7>, 32;
shl.b32 <r6>, <r8>, <r7>;
redux.sync.or.b32 <r6>, <r6>, <r0>;
popc.b32 <r6>, <r6>;
add.s32 <r9>, <r9>, <r6>;
)";
/// Others a whole warp sorts; a part asks which lanes have the same.
constexpr std::string_view far = R"(
setp.eq.s32 <q2>, <r0>, -1;
@<q2> bra <whole>;
shr.u32 <r6>, <r1>, 5;
match.any.sync.b32 <r6>, <r6>, <r0>;
<different sectors>
popc.b32 <r9>, <r0>;
setp.eq.s32 <q2>, <r9>, <r10>;
@<q2> bra <add>;
match.any.sync.b32 <r6>, <r1>, <r0>;
<different places>
bra.uni <add>;
<whole>:
mov.u32 <r6>, <r1>;
mov.u32 <r7>, %laneid;
)";
/// Of the sort: of two lanes, whose numbers differ in the bits of `<others>`, the one that has the highest of
/// these takes the greater word.
constexpr std::string_view sortStep = R"(
shfl.sync.bfly.b32 <r8>, <r6>, <others>, 31, -1;
min.u32 <r9>, <r6>, <r8>;
max.u32 <r10>, <r6>, <r8>;
selp.b32 <r6>, <r10>, <r9>, <has bit>;
)";
constexpr std::string_view sortBit = R"(
and.b32 <r8>, <r7>, <bit>;
setp.ne.s32 <has bit>, <r8>, 0;
)";
/// A predicate for each bit of a lane's number.
constexpr std::array<std::string_view, 5> hasBit = {"<q0>", "<q2>", "<q3>", "<q4>", "<q5>"};
constexpr std::string_view sorted = R"(
shfl.sync.up.b32 <r8>, <r6>, 1, 0, -1;
xor.b32 <r8>, <r8>, <r6>;
setp.eq.s32 <q2>, <r7>, 0;
selp.b32 <r8>, -1, <r8>, <q2>;
setp.ne.s32 <q2>, <r8>, 0;
setp.gt.u32 <q3>, <r8>, 31;
vote.sync.ballot.b32 <r9>, <q2>, -1;
vote.sync.ballot.b32 <r10>, <q3>, -1;
popc.b32 <r9>, <r9>;
popc.b32 <r10>, <r10>;
bra.uni <add>;
)";
/// The lowest lane leads.
constexpr std::string_view addition = R"(
and.b32 <r4>, <r0>, %cuil;
setp.eq.s32 <q5>, <r4>, 0;
selp.b32 <r5>, 65537, 1, <q5>;
add.s32 <n>, <n>, <r5>;
@<q5> add.s<cost bits> <c>, <c>, <cost>;
min.u32 <a>, <a>, <r1>;
max.u32 <b>, <b>, <r1>;
<done>:
)";

constexpr std::string_view elsewhere = R"(
<elsewhere>:
vote.sync.all.pred <q3>, <q1>, <r0>;
@!<q3> bra <other>;
<ask for wavefronts>
bra.uni <add>;
)";
constexpr std::string_view otherLabel = R"(
<other>:
)";
constexpr std::string_view backAgain = R"(
bra.uni <done>;
)";

constexpr std::string_view costsOperand = R"(
.reg .b64 %costs;
<widen> %costs, <c>;
)";

/// Of an access.
constexpr unsigned predicatesOfAccess = 6, wordsOfAccess = 11;

/// Of bits [end, begin) of numbers.
std::string differentIn(unsigned begin, unsigned end, std::string_view number, std::string_view count) {
  std::string text;
  for (unsigned bit = begin; bit-- != end;)
    text += replaced(replaced(bitQuestion, "<number>", number), "<bit>", std::to_string(1u << bit));
  return text + replaced(different, "<count>", count);
}

/// costOfWarp() of cuinstrument/backend/cuda/profile_aligned.h.
std::string textOfApart(unsigned bytes) {
  std::string further;
  for (int word = 1; word < 4; ++word) further += furtherPlaces;
  std::string text = replaced(apart, "<further places>", further);
  text = replaced(text, "<bits of sectors>", differentIn(askedBits, 0, "<r8>", "<r10>"));
  text = replaced(text, "<bits of places>",
                  differentIn(5, static_cast<unsigned>(std::countr_zero(bytes)), "<r1>", "<r9>"));
  text += replaced(replaced(far, "<different sectors>", replaced(different, "<count>", "<r10>")),
                   "<different places>", replaced(different, "<count>", "<r9>"));
  const auto add = [&text](std::string_view lines, unsigned bit) {
    text += replaced(lines, "<has bit>", hasBit[bit]);
  };
  for (unsigned bit = 0; bit < hasBit.size(); ++bit)
    add(replaced(sortBit, "<bit>", std::to_string(1u << bit)), bit);
  // Of two sorted halves the one is taken the other way round, and lower bits' lanes sort what comes of it.
  for (unsigned half = 0; half < hasBit.size(); ++half) {
    add(replaced(sortStep, "<others>", std::to_string((2u << half) - 1)), half);
    for (unsigned bit = half; bit-- != 0;)
      add(replaced(sortStep, "<others>", std::to_string(1u << bit)), bit);
  }
  return text.append(sorted);
}

std::string recording() {
  return callText(unitOperand, "<untallied>",
                  {{'d', "%unit"}, {'w', "<key>"}, {'d', "<address>"}, {'w', "<bytes>"}});
}
std::string adding() {
  return callText(std::string(unitOperand).append(keyOperand).append(costsOperand), "<adds>",
                  {{'d', "%unit"},
                   {'w', "%key"},
                   {'w', "<n>"},
                   {'d', "%costs"},
                   {'w', "<a>"},
                   {'w', "<b>"},
                   {'w', "<w>"},
                   {'w', "<bytes>"}});
}

}  // namespace

TallyText::TallyText(std::string_view state, unsigned form) : state_(state) {
  wavefronts_ = recorderName("15tallyWavefronts", formOfAnyMode, "jj");
  add_ = recorderName("8addTally", form, "vRKNS0_10DeviceUnitEjjyjjjj");
  untallied_ = recorderName("15recordUntallied", form, "vRKNS0_10DeviceUnitEjyj");
}

std::string TallyText::declarations() const {
  return externDeclaration(wavefronts_, "w", ".b32") + externDeclaration(add_, "dwwdwwww") +
         externDeclaration(untallied_, "dwdw");
}

std::string TallyText::registers(unsigned tallies, unsigned accesses, bool putsAway) const {
  const auto many = [](unsigned count) { return "<" + std::to_string(count) + ">;\n"; };
  // With a word that is 0: ptxas would ask for the mask each time anew, and wait for it.
  std::string text =
      "\t.reg .b32 \t%cuil, %cuiz;\n\tmov.u32 \t%cuil, %lanemask_lt;\n\tld.const.u32 \t%cuiz, [" + state_ +
      "+" + std::to_string(format::notesBarriersAt) + "];\n\txor.b32 \t%cuil, %cuil, %cuiz;\n";
  if (putsAway) text += memoryAway(firstAway + tallies * bytesAway) + filled(ofMemoryAway(laneAway), {}, {});
  text += "\t.reg .pred \t%cuiq" + many(accesses * predicatesOfAccess);
  text += "\t.reg .b32 \t%cuir" + many(accesses * wordsOfAccess);
  for (const char* kind : {"n", "a", "b", "w"})
    text += std::string("\t.reg .b32 \t%cui") + kind + many(tallies);
  for (const char* bits : {"32", "64"})
    text += std::string("\t.reg .b") + bits + " \t%cuic" + bits + "s" + many(tallies) + "\t.reg .b" + bits +
            " \t%cuie" + bits + "s" + many(accesses);
  return text;
}

std::string TallyText::filled(std::string_view text, const Tally& tally, const TalliedAccess& access) const {
  const std::string own = std::to_string(tally.number), bits = tally.shared ? "32" : "64";
  const std::string number = std::to_string(access.number);
  std::vector<std::pair<std::string, std::string>> parts = {
      {"<n>", "%cuin" + own},
      {"<a>", "%cuia" + own},
      {"<b>", "%cuib" + own},
      {"<w>", "%cuiw" + own},
      {"<c>", "%cuic" + bits + "s" + own},
      {"<cost>", "%cuie" + bits + "s" + number},
      {"<cost bits>", bits},
      {"<widen>", tally.shared ? "cvt.u64.u32" : "mov.u64"},
      {"<no window>", tally.oneWindow ? "0" : "-1"},
      {"<last byte>", std::to_string(tally.bytes - 1)},
      {"<bytes>", std::to_string(tally.bytes)},
      {"<site key>", std::to_string(tally.siteKey)},
      {"<state>", state_},
      {"<first key at>", std::to_string(format::firstKeyAt)},
      {"<key>", std::string(access.key)},
      {"<address>", std::string(access.address)},
      {"<log bytes>", std::to_string(std::countr_zero(tally.bytes))},
      {"<32 places>", std::to_string(32 * tally.bytes)},
      {"<128 places>", std::to_string(std::min(128 * tally.bytes, 31u * 32u))},
      {"<asked sectors>", std::to_string(1u << askedBits)},
      {"<log ideal>", std::to_string(format::tallyBits - 5 + std::countr_zero(tally.bytes))},
      {"<round up>", std::to_string(31u << (format::tallyBits - 5))},
      {"<ideal mask>", std::to_string(-(1 << format::tallyBits))},
      {"<places bits>", std::to_string(2 * format::tallyBits - 32)},
      {"<away>", std::to_string(firstAway + tally.number * bytesAway)},
      {"<cost away>", std::to_string(firstAway + tally.number * bytesAway + 16)},
      {"<wavefronts>", wavefronts_},
      {"<adds>", add_},
      {"<untallied>", untallied_}};
  for (const char* label : {"elsewhere", "far", "farther", "whole", "add", "other", "done", "past"})
    parts.emplace_back("<" + std::string(label) + ">", "$L__cui_" + std::string(label) + number);
  for (unsigned i = 0; i < predicatesOfAccess; ++i)
    parts.emplace_back("<q" + std::to_string(i) + ">",
                       "%cuiq" + std::to_string(access.number * predicatesOfAccess + i));
  for (unsigned i = 0; i < wordsOfAccess; ++i)
    parts.emplace_back("<r" + std::to_string(i) + ">",
                       "%cuir" + std::to_string(access.number * wordsOfAccess + i));
  std::string result(text);
  for (const auto& [name, value] : parts) result = replaced(result, name, value);
  return indented(result);
}

std::string TallyText::empty(const Tally& tally) const {
  return filled(cli::empty, tally, {});
}
std::string TallyText::access(const Tally& tally, const TalliedAccess& access) const {
  std::string text(question);
  if (!tally.oneWindow) text += windowQuestion;
  text.append(answer).append(tally.shared ? wavefronts : sectors).append(addition);
  return filled(text, tally, access);
}
std::string TallyText::otherwise(const Tally& tally, const TalliedAccess& access,
                                 const std::vector<Tally>& away) const {
  std::string text = tally.shared ? replaced(elsewhere, "<ask for wavefronts>",
                                             callText({}, "<wavefronts>", {{'w', "<r1>"}}, "<cost>"))
                                  : textOfApart(tally.bytes);
  text.append(otherLabel).append(putAway(away)).append(adding()).append(recording()).append(takeBack(away));
  return filled(text.append(cli::empty).append(backAgain), tally, access);
}
std::string TallyText::untallied(const TalliedAccess& access, unsigned bytes) const {
  Tally none;
  none.bytes = bytes;
  return filled(recording(), none, access);
}
std::string TallyText::putAway(const std::vector<Tally>& tallies) const {
  std::string text;
  for (const Tally& tally : tallies) text += filled(tallyAway, tally, {});
  return text.empty() ? text : filled(ofMemoryAway(text), {}, {});
}
std::string TallyText::takeBack(const std::vector<Tally>& tallies) const {
  std::string text;
  for (const Tally& tally : tallies) text += filled(tallyBack, tally, {});
  return text.empty() ? text : filled(ofMemoryAway(text.append(laneBack)), {}, {});
}
std::string TallyText::end(const Tally& tally, unsigned number) const {
  TalliedAccess none;
  none.number = number;
  return filled(ifAnyHas("<n>", adding()), tally, none);
}

}  // namespace cui::cli
