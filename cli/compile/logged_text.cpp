#include <span>
#include <string>
#include <string_view>

#include "cli/base/replaced_text.h"
#include "cli/compile/in_place_lines.h"
#include "cli/compile/in_place_text.h"
#include "cli/compile/in_place_words.h"
#include "cli/compile/logged_lines.h"
#include "cli/compile/ptx_calls.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/lane_log.h"

namespace cui::cli {

using namespace in_place;

namespace {

/// Whether both are one entry.
bool areOneEntry(std::span<const WrittenAccess> accesses) {
  return accesses.size() > 1 && isOfShared(accesses[0]) && isOfShared(accesses[1]) &&
         accesses[1].number == accesses[0].number + 1;
}
unsigned entriesOf(std::span<const WrittenAccess> accesses) {
  unsigned entries = 0;
  for (; !accesses.empty(); ++entries) accesses = accesses.subspan(areOneEntry(accesses) ? 2 : 1);
  return entries;
}

}  // namespace

/// The words of a group's text, of which the first access has the registers.
std::string InPlaceText::filledOfLog(std::string_view text, std::span<const WrittenAccess> accesses) const {
  const unsigned rows = entriesOf(accesses);
  const std::pair<const char*, std::string> parts[] = {{"<rows>", number(rows)},
                                                       {"<steps>", number(rows * format::logStep)},
                                                       {"<which of them>", std::string(whichOfThem)}};
  std::string result = replaced(text, "<who has room>", whoHasRoom);
  for (const auto& [name, value] : parts) result = replaced(result, name, value);
  return filled(result, accesses.front());
}

std::string InPlaceText::logged(std::span<const WrittenAccess> accesses) const {
  std::string entries, counts;
  for (const WrittenAccess& access : accesses)
    counts += replaced(countEntry, "<counted>", "%cuihc" + number(access.site.number));
  unsigned row = 0;
  for (std::span<const WrittenAccess> rest = accesses; !rest.empty(); ++row) {
    const bool both = areOneEntry(rest);
    for (const WrittenAccess& access : rest.first(both ? 2 : 1)) entries += filled(addressOf(access), access);
    std::string entry =
        replaced(writeEntry, "<entry>", number(rest[0].number | (both ? format::logPair : 0)));
    entry = replaced(entry, "<first>", filled("<r0>", rest[0]));
    entry = replaced(entry, "<second>", both ? filled("<r0>", rest[1]) : filled("<r1>", rest[0]));
    entries += replaced(entry, "<row>", number(row * format::logRowBytes));
    rest = rest.subspan(both ? 2 : 1);
  }
  return filledOfLog(replaced(replaced(writeEntries, "<entries>", entries), "<counts>", counts), accesses);
}

std::string InPlaceText::loggedOtherwise(std::span<const WrittenAccess> accesses,
                                         const Counts& counts) const {
  std::string instead;
  for (const WrittenAccess& access : accesses)
    instead += filled(replaced(recordInstead, "<record>", recordCall()), access);
  const std::string call = callText(
      std::string(unitOperand).append(logAnew), "<logs anew>",
      {{'d', "%unit"},
       {'w', "%cuihlog"},
       {'w', "<rows>"},
       {'d', "%accesses"},
       {'w',
        number(format::mostLoggedAccesses < counts.accesses ? format::mostLoggedAccesses : counts.accesses)
            .c_str()},
       {'d', "%counts"},
       {'w', number(counts.sites()).c_str()}},
      "%cuihlog");
  std::string text =
      replaced(goOnElsewhere, "<log anew>",
               ofMemoryAway(countsAndKeysAway(counts).append(call).append(countsBack(counts))));
  text = replaced(text, "<accesses>", counts.table);
  text = replaced(text, "<counts away>", number(placeAway(0)));
  return filledOfLog(replaced(text, "<records all>", instead), accesses);
}

std::string InPlaceText::tableOf(const Counts& counts, std::span<const WrittenAccess> accesses) {
  std::string text = ".global .align 8 .u64 " + counts.table + "[" + number(counts.accesses) + "] = {";
  for (const WrittenAccess& access : accesses)
    text.append(access.number == 0 ? "" : ", ")
        .append(
            std::to_string(std::uint64_t{access.bytes} << format::logAccessBytesShift | access.site.siteKey));
  return text + "};\n";
}

}  // namespace cui::cli
