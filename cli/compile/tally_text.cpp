#include "cli/compile/tally_text.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cli/compile/ptx_calls.h"
#include "cli/compile/tally_lines.h"
#include "cuinstrument/format/access_key.h"

namespace cui::cli {

using namespace tally_lines;

namespace {

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

std::string labelled(std::string_view label) {
  return std::string(label) + ":\n";
}
std::string branchTo(std::string_view label) {
  return "bra.uni " + std::string(label) + ";\n";
}
std::string questionOf(const Tally& tally) {
  std::string text(question);
  if (!tally.oneWindow) text += windowQuestion;
  return text;
}
std::string askingForWavefronts() {
  return replaced(askForWavefronts, "<ask for wavefronts>",
                  callText({}, "<wavefronts>", {{'w', "<r1>"}}, "<cost>"));
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
  const unsigned first = access.first.value_or(access.number);
  std::vector<std::pair<std::string, std::string>> parts = {
      {"<n>", "%cuin" + own},
      {"<a>", "%cuia" + own},
      {"<b>", "%cuib" + own},
      {"<w>", "%cuiw" + own},
      {"<c>", "%cuic" + bits + "s" + own},
      {"<cost>", "%cuie" + bits + "s" + number},
      {"<wide>", "%cuie64s" + number},
      {"<first r3>", "%cuir" + std::to_string(first * wordsOfAccess + 3)},
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
  for (const char* label : {"far", "farther", "whole", "add", "other", "done", "past"})
    parts.emplace_back("<" + std::string(label) + ">", "$L__cui_" + std::string(label) + number);
  for (const char* label : {"elsewhere", "together"})
    parts.emplace_back("<" + std::string(label) + ">",
                       "$L__cui_" + std::string(label) + std::to_string(first));
  const auto numberOf = [&](bool ofAll) { return ofAll ? first : access.number; };
  for (unsigned i = 0; i < predicatesOfAccess; ++i)
    parts.emplace_back("<q" + std::to_string(i) + ">",
                       "%cuiq" + std::to_string(numberOf(i == 1 || i == 5) * predicatesOfAccess + i));
  for (unsigned i = 0; i < wordsOfAccess; ++i)
    parts.emplace_back("<r" + std::to_string(i) + ">",
                       "%cuir" + std::to_string(numberOf(i == 0 || i == 5) * wordsOfAccess + i));
  std::string result(text);
  for (const auto& [name, value] : parts) result = replaced(result, name, value);
  return indented(result);
}

std::string TallyText::empty(const Tally& tally) const {
  return filled(tally_lines::empty, tally, {});
}
std::string TallyText::access(const Tally& tally, const TalliedAccess& access) const {
  std::string text(comers);
  text.append(questionOf(tally)).append(answer);
  if (tally.shared)
    text.append(rows).append(twoRows).append(costOfRows).append(labelled("<add>"));
  else
    text.append(sectors);
  return filled(text.append(leader).append(addition).append(labelled("<done>")), tally, access);
}
std::string TallyText::otherwise(const Tally& tally, const TalliedAccess& access,
                                 const std::vector<Tally>& away) const {
  std::string text;
  if (tally.shared)
    text.append(labelled("<elsewhere>")).append(askingForWavefronts()).append(branchTo("<add>"));
  else
    text = textOfApart(tally.bytes);
  return filled(text, tally, access) + notTallied(tally, access, away);
}
std::string TallyText::notTallied(const Tally& tally, const TalliedAccess& access,
                                  const std::vector<Tally>& away) const {
  std::string text = labelled("<other>");
  text.append(putAway(away)).append(adding()).append(recording()).append(takeBack(away));
  return filled(text.append(tally_lines::empty).append(branchTo("<done>")), tally, access);
}

std::string TallyText::together(std::vector<AccessOfTally> accesses) const {
  for (AccessOfTally& one : accesses) one.access.first = accesses.front().access.number;
  const auto& [tally, access] = accesses.front();
  std::string text = filled(comers, tally, access);
  for (const AccessOfTally& one : accesses) {
    std::string asked = questionOf(one.tally);
    if (&one != &accesses.front()) asked += nextQuestion;
    text += filled(asked, one.tally, one.access);
  }
  text += filled(answer, tally, access);
  for (const AccessOfTally& one : accesses)
    text += filled(std::string(rows).append(nextTwoRows), one.tally, one.access);
  text += filled(std::string(allInTwoRows).append(leader), tally, access);
  for (const AccessOfTally& one : accesses)
    text += filled(std::string(costOfRows).append(addition), one.tally, one.access);
  return text + filled(labelled("<together>"), tally, access);
}
std::string TallyText::otherwiseTogether(const std::vector<AccessOfTally>& accesses,
                                         const std::vector<Tally>& away) const {
  const auto& [tally, access] = accesses.front();
  std::string text = filled(labelled("<elsewhere>"), tally, access), behind;
  for (const AccessOfTally& one : accesses) {
    std::string slowly(comers);
    slowly.append(questionOf(one.tally)).append(answer).append(askingForWavefronts());
    slowly.append(leader).append(addition).append(labelled("<done>"));
    text += filled(slowly, one.tally, one.access);
    behind += notTallied(one.tally, one.access, away);
  }
  return text + filled(branchTo("<together>"), tally, access) + behind;
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
