// The tables as C++: the lines before and after the user's text. Macros: devlib's device/tables.h.
#include <fmt/format.h>

#include "cuinstrument/format/site_rows.h"
#include "edit/forms.h"
#include "sites/names.h"
#include "sites/table.h"

namespace cui::sites {
namespace {

using edit::literal;

std::string placeOf(const Place& place) {
  return fmt::format("{}, {}, {}", place.file, place.line, place.column);
}

/// What MSVC, the strictest, takes as one literal is four times this.
constexpr std::size_t literalBytes = 16'000;

}  // namespace

std::string siteRow(const Site& site, const Site* before) {
  std::string row =
      fmt::format("{:x} {} {} {} {} {} {} {} {} {} {}", site.id, site.place.file, site.place.line,
                  site.place.column, site.endLine, site.endColumn, nameOf(site.kind), nameOf(site.space),
                  nameOf(site.status), site.bytes, site.loopDepth);
  row += '\0';
  for (const auto member : {&Site::function, &Site::expression, &Site::base, &Site::index, &Site::type,
                            &Site::macro, &Site::templateContext, &Site::reason}) {
    const std::string& text = site.*member;
    if (before && !text.empty() && text == before->*member)
      row += format::sameText;
    else
      row += text;
    row += '\0';
  }
  return row;
}

std::string Table::preamble(std::string_view includes) const {
  std::string text(edit::preambleStart);
  text += fmt::format("CUI_UNIT({:#x}, {})\n", unitId_, sites_.size());
  if (hasMacros_) {
    std::string entries;
    for (const MacroLine& entry : macroLines_)
      entries += fmt::format("{}{{{}, {}, {}{}}}", entries.empty() ? "" : ", ", entry.site, entry.line,
                             entry.lineSite == noSite ? "CUI_NO_SITE" : std::to_string(entry.lineSite),
                             entry.argument == 0 ? "" : fmt::format(", {}", entry.argument));
    // No real line is 0: an entry that only keeps the array from being empty.
    text += fmt::format("CUI_MACRO_SITES({})\n", entries.empty() ? "{0, 0, 0}" : entries);
  }
  text += includes;
  text += fmt::format("#line 1 {}\n", literal(files_.at(0).path));
  return text;
}

std::string Table::epilogue(std::string_view directives) const {
  std::string text(edit::epilogueStart);
  text += directives;
  const auto row = [&](std::string_view line) { text.append(line).push_back('\n'); };
  row("CUI_TABLE_FILES");
  for (const File& file : files_)
    row(fmt::format("CUI_FILE({}, {}, {:#x})", literal(file.path), literal(file.absolutePath),
                    file.textHash));
  row("CUI_TABLE_SITES");
  row("#ifdef CUI_SITE_ROWS");
  std::size_t joined = 0;
  const Site* before = nullptr;
  for (const Site& site : sites_) {
    const std::string one = siteRow(site, before);
    joined += one.size();
    if (before) text += joined > literalBytes ? ",\n" : "\n";
    if (joined > literalBytes) joined = one.size();
    text += literal(one);
    before = &site;
  }
  if (before) text += ",\n";
  row("#endif");
  row("CUI_TABLE_KERNELS");
  for (const Kernel& kernel : kernels_)
    row(fmt::format("CUI_KERNEL_ENTRY({}, {})", literal(kernel.name), placeOf(kernel.place)));
  row("CUI_TABLE_LAUNCHES");
  for (const Launch& launch : launches_)
    row(fmt::format("CUI_LAUNCH_ENTRY({}, {}, {}, {}, {:d})", literal(launch.kernel),
                    literal(launch.kernelBase), literal(launch.function), placeOf(launch.place),
                    launch.hasStream));
  row("CUI_TABLE_CALLS");
  for (const Call& call : calls_)
    row(fmt::format("CUI_CALL_ENTRY({}, {}, {}, {}, {}, {})", literal(call.api), literal(call.function),
                    literal(call.variable), literal(call.type), call.elementBytes, placeOf(call.place)));
  row("CUI_TABLE_VARIABLES");
  for (const Variable& variable : variables_)
    row(fmt::format("CUI_VARIABLE_ENTRY({}, {}, {}, {}, {}, {}, {}, {:d}, {})", literal(variable.name),
                    literal(variable.function), literal(variable.type), literal(variable.elementType),
                    variable.elementBytes, variable.bytes, nameOf(variable.space), variable.dynamic,
                    placeOf(variable.place)));
  row("CUI_TABLE_GLOBALS");
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (!variables_[i].global.empty()) row(fmt::format("CUI_GLOBAL({}, {})", i, variables_[i].global));
  row(fmt::format("CUI_TABLE_END({}, {})", literal(files_.at(0).path), literal(version_)));
  return text;
}

}  // namespace cui::sites
