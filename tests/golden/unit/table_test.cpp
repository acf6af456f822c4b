// The site tables: order, numbers, stable ids, macro expansions, and both spellings.
#include "cuinstrument/format/site_rows.h"
#include "sites/table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cui::sites {
namespace {

Site siteAt(std::uint32_t line, std::string expression, std::string function = "k", std::uint32_t file = 0) {
  Site site;
  site.place = {file, line * 100, line, 5};
  site.endLine = line;
  site.endColumn = 9;
  site.expression = std::move(expression);
  site.function = std::move(function);
  return site;
}

Table tableOfFiles() {
  Table table;
  table.setRewriterVersion("1.0");
  EXPECT_EQ(table.addFile({"v.cu", "/src/v.cu", 0x12}), 0u);
  EXPECT_EQ(table.addFile({"x.h", "/src/x.h", 0x34}), 1u);
  EXPECT_EQ(table.addFile({"./x.h", "/src/x.h", 0x34}), 1u);
  return table;
}

std::uint64_t idOf(const Table& table, SiteHandle handle) {
  return table.sites()[table.number(handle)].id;
}

TEST(Table, NumbersByFileThenOffset) {
  Table table = tableOfFiles();
  const SiteHandle header = table.add(siteAt(1, "h[i]", "f", 1));
  const SiteHandle late = table.add(siteAt(9, "b[i]"));
  const SiteHandle early = table.add(siteAt(3, "a[i]"));
  table.finalize();
  EXPECT_EQ(table.number(early), 0u);
  EXPECT_EQ(table.number(late), 1u);
  EXPECT_EQ(table.number(header), 2u);
}

TEST(Table, OfSitesThatBeginTogetherTheShorterIsFirst) {
  Table table = tableOfFiles();
  Site longer = siteAt(1, "p->a.b[i]");
  longer.endColumn = 14;
  const SiteHandle outer = table.add(longer);
  const SiteHandle inner = table.add(siteAt(1, "p->a"));
  table.finalize();
  EXPECT_EQ(table.number(inner), 0u);
  EXPECT_EQ(table.number(outer), 1u);
}

TEST(Table, EntriesOfOnePlaceAndNameAreOne) {
  Table table = tableOfFiles();
  const KernelHandle once = table.add(Kernel{{0, 50, 2, 1}, "k"});
  EXPECT_EQ(table.add(Kernel{{0, 50, 2, 1}, "k"}), once);
  EXPECT_NE(table.add(Kernel{{0, 50, 2, 1}, "generated"}), once);
  table.finalize();
  EXPECT_EQ(table.kernels().size(), 2u);
}

// The point of stable ids: moving code, formatting it and editing other functions changes none of them.
TEST(StableId, SurvivesUnrelatedEdits) {
  Table before = tableOfFiles();
  const SiteHandle x = before.add(siteAt(3, "a[i + 1]"));
  const SiteHandle y = before.add(siteAt(4, "a[i + 1]"));
  before.finalize();
  Table after = tableOfFiles();
  after.add(siteAt(2, "a[i + 1]", "other"));
  const SiteHandle moved = after.add(siteAt(30, "a[ i+1 /* next */ ]"));
  after.add(siteAt(31, "b[i]"));
  const SiteHandle second = after.add(siteAt(40, "a[i + 1]"));
  after.finalize();
  EXPECT_EQ(idOf(before, x), idOf(after, moved));
  EXPECT_EQ(idOf(before, y), idOf(after, second));
  EXPECT_NE(idOf(before, x), idOf(before, y));
}

TEST(StableId, TellsFunctionExpressionKindAndOrdinalApart) {
  const std::uint64_t id = stableId("k", "a[i]", Kind::load, 0);
  EXPECT_EQ(id, stableId("k", "a [ i ]", Kind::load, 0));
  EXPECT_NE(id, stableId("ka", "[i]", Kind::load, 0));
  EXPECT_NE(id, stableId("k", "a[j]", Kind::load, 0));
  EXPECT_NE(id, stableId("k", "a[i]", Kind::store, 0));
  EXPECT_NE(id, stableId("k", "a[i]", Kind::load, 1));
  EXPECT_GT(static_cast<std::int64_t>(id), 0);
  // Recorded in users' traces: this value, worked out by hand from the definition, never changes.
  EXPECT_EQ(id, 404516213582687521u);
}

TEST(Macro, ASingleExpansionTakesTheDefinitionsPlace) {
  Table table = tableOfFiles();
  const SiteHandle definition = table.add(siteAt(1, "p[i]"));
  table.addExpansion(definition, siteAt(7, "p[i]"));
  table.finalize();
  ASSERT_EQ(table.sites().size(), 1u);
  EXPECT_EQ(table.sites()[0].place.line, 7u);
  EXPECT_NE(table.preamble().find("CUI_MACRO_SITES({0, 0, 0})\n"), std::string::npos);
}

TEST(Macro, EachLineIsASite) {
  Table table = tableOfFiles();
  Site two = siteAt(9, "p[i]");
  two.endLine = 10;  // which of its lines __LINE__ names depends on the compiler
  const SiteHandle definition = table.add(siteAt(1, "p[i]"));
  table.addExpansion(definition, siteAt(7, "p[i]"));
  table.addExpansion(definition, two);
  Site store = siteAt(7, "p[i]");
  store.kind = Kind::store;
  table.addExpansion(definition, store);
  table.finalize();
  ASSERT_EQ(table.sites().size(), 3u);
  EXPECT_EQ(table.sites()[1].kind, Kind::rmw);
  EXPECT_NE(table.preamble().find("CUI_MACRO_SITES({0, 7, 1}, {0, 9, 2}, {0, 10, 2})\n"), std::string::npos);
}

TEST(Macro, ALineThatTwoFilesClaimFallsBackToTheDefinition) {
  Table table = tableOfFiles();
  const SiteHandle definition = table.add(siteAt(1, "p[i]", "k", 1));
  table.addExpansion(definition, siteAt(7, "p[i]", "k", 0));
  table.addExpansion(definition, siteAt(7, "p[i]", "f", 1));
  table.addExpansion(definition, siteAt(8, "p[i]", "f", 1));
  table.finalize();
  ASSERT_EQ(table.sites().size(), 2u);
  EXPECT_NE(table.preamble().find("CUI_MACRO_SITES({0, 8, 1})\n"), std::string::npos);
}

TEST(Macro, RowsOtherThanSitesAreFoundByLineToo) {
  Table table = tableOfFiles();
  table.add(siteAt(1, "p[i]"));
  const KernelHandle second = table.add(Kernel{{0, 900, 9, 1}, "second"});
  const KernelHandle first = table.add(Kernel{{0, 800, 8, 1}, "first"});
  const LaunchHandle launch = table.add(Launch{{0, 950, 12, 1}, "k", "k", "main", false});
  const LaunchHandle other = table.add(Launch{{0, 990, 14, 1}, "k", "k", "main", false});
  table.addLine(second, second, 9, 10);
  table.addLine(second, first, 8, 9);  // line 9 is taken
  table.addLine(launch, launch, 12, 12);
  table.addLine(launch, other, 14, 14);
  table.finalize();
  // One site, then two kernels (the second one's key stands for both), then the launches.
  EXPECT_EQ(table.lineKey(second), 2u);
  EXPECT_EQ(table.lineKey(launch), 3u);
  EXPECT_NE(
      table.preamble().find("CUI_MACRO_SITES({2, 8, 0}, {2, 9, 1}, {2, 10, 1}, {3, 12, 0}, {3, 14, 1})\n"),
      std::string::npos);
}

TEST(Emission, CppIsExactlyTheContract) {
  Table table = tableOfFiles();
  Site site = siteAt(3, "a[\"x\"]");
  site.kind = Kind::store;
  site.space = Space::global;
  site.bytes = 4;
  site.loopDepth = 1;
  site.base = "a";
  site.index = "\"x\"";
  site.type = "float";
  site.templateContext = "T=float";
  table.add(site);
  table.add(Kernel{{0, 10, 1, 17}, "k"});
  table.add(Launch{{0, 500, 5, 3}, "k<float>", "k", "main", true});
  table.add(Call{{0, 400, 4, 3}, "cudaMalloc", "main", "d", "float", 4});
  table.add(Variable{{0, 5, 1, 1}, "t", "", "float[4]", "float", 4, 16, Space::constant, false, "::t"});
  table.add(Variable{{0, 200, 2, 1}, "s", "k", "float[]", "float", 4, 0, Space::shared, true, ""});
  table.finalize();
  const std::string id = nlohmann::json::parse(table.json())["sites"][0]["id"];
  EXPECT_EQ(table.epilogue(),
            "/* cuinstrument: tables, format 1 */\n"
            "CUI_TABLE_FILES\n"
            "CUI_FILE(\"v.cu\", \"/src/v.cu\", 0x12)\n"
            "CUI_FILE(\"x.h\", \"/src/x.h\", 0x34)\n"
            "CUI_TABLE_SITES\n"
            "#ifdef CUI_SITE_ROWS\n"
            "\"" +
                id.substr(2) +
                " 0 3 5 3 9 store global instrumented 4 1\\0k\\0a[\\\"x\\\"]\\0a\\0\\\"x\\\"\\0float\\0"
                "\\0T=float\\0\\0\",\n"
                "#endif\n"
                "CUI_TABLE_KERNELS\n"
                "CUI_KERNEL_ENTRY(\"k\", 0, 1, 17)\n"
                "CUI_TABLE_LAUNCHES\n"
                "CUI_LAUNCH_ENTRY(\"k<float>\", \"k\", \"main\", 0, 5, 3, 1)\n"
                "CUI_TABLE_CALLS\n"
                "CUI_CALL_ENTRY(\"cudaMalloc\", \"main\", \"d\", \"float\", 4, 0, 4, 3)\n"
                "CUI_TABLE_VARIABLES\n"
                "CUI_VARIABLE_ENTRY(\"t\", \"\", \"float[4]\", \"float\", 4, 16, constant, 0, 0, 1, 1)\n"
                "CUI_VARIABLE_ENTRY(\"s\", \"k\", \"float[]\", \"float\", 4, 0, shared, 1, 0, 2, 1)\n"
                "CUI_TABLE_GLOBALS\n"
                "CUI_GLOBAL(0, ::t)\n"
                "CUI_TABLE_END(\"v.cu\", \"1.0\")\n");
}

TEST(Rows, AreReadAsTheyWereWritten) {
  Site first = siteAt(3, "0[p ? \"\\x\" : q]");
  first.id = 0xfedcba9876543210;
  first.kind = Kind::atomic;
  first.space = Space::texture;
  first.bytes = 4'000'000'000;
  first.index = "7";
  first.type = "T | U";
  Site second = first;
  second.place.file = 1;
  second.kind = Kind::copy;
  second.space = Space::global;
  second.status = Status::skipped;
  second.macro = "M";
  second.reason = "why";
  second.type.clear();
  const std::string literals[] = {siteRow(first, nullptr), siteRow(second, &first) + siteRow(first, &second)};
  EXPECT_NE(literals[1].find(std::string("\0=\0", 3)), std::string::npos);
  const char* const rows[] = {literals[0].c_str(), literals[1].c_str(), nullptr};
  format::SiteEntry sites[3] = {};
  format::UnitTable unit = {};
  unit.siteCount = 3;
  unit.siteRows = rows;
  unit.siteSpace = sites;
  ASSERT_TRUE(format::readSiteRows(unit));
  const Site* const written[] = {&first, &second, &first};
  for (int i = 0; i < 3; ++i) {
    const Site& site = *written[i];
    const format::SiteEntry& read = sites[i];
    EXPECT_EQ(read.id, site.id);
    EXPECT_EQ(std::make_tuple(read.file, read.line, read.column, read.endLine, read.endColumn),
              std::make_tuple(site.place.file, site.place.line, site.place.column, site.endLine, site.endColumn));
    EXPECT_EQ(std::make_tuple(read.kind, read.space, read.status, read.bytes, read.loopDepth),
              std::make_tuple(site.kind, site.space, site.status, site.bytes, site.loopDepth));
    EXPECT_EQ(read.function, site.function);
    EXPECT_EQ(read.expression, site.expression);
    EXPECT_EQ(read.base, site.base);
    EXPECT_EQ(read.index, site.index);
    EXPECT_EQ(read.type, site.type);
    EXPECT_EQ(read.macro, site.macro);
    EXPECT_EQ(read.templateContext, site.templateContext);
    EXPECT_EQ(read.reason, site.reason);
  }
}

/// The site of the first row, or nothing.
std::string readAs(const char* row, std::uint32_t count) {
  const char* const rows[] = {row, nullptr};
  format::SiteEntry sites[2] = {};
  format::UnitTable unit = {};
  unit.siteCount = count;
  unit.siteRows = rows;
  unit.siteSpace = sites;
  return format::readSiteRows(unit) ? sites[0].expression : std::string("refused: ") + sites[count - 1].reason;
}

#define ROW(words) words "\0f\0a[i]\0a\0i\0int\0\0\0why\0"
TEST(Rows, ThatAreNoneAreRefused) {
  EXPECT_EQ(readAs(ROW("1f 0 1 1 1 2 load local instrumented 4 0"), 1), "a[i]");
  EXPECT_EQ(readAs(ROW("0x1f 0 1 1 1 2 load local instrumented 4 0"), 1), "a[i]");
  EXPECT_EQ(readAs(ROW("1f 0 1 1 1 2 load local instrumented 4 0"), 2), "refused: ");
  EXPECT_EQ(readAs(ROW("1f 0 1 1 1 2 load locals instrumented 4 0"), 1), "refused: ");
  EXPECT_EQ(readAs(ROW("1f 0 1 1 1 2 load loc instrumented 4 0"), 1), "refused: ");
  EXPECT_EQ(readAs(ROW("1f 0 1 1 1 2 load local instrumented 4"), 1), "refused: ");
  EXPECT_EQ(readAs(ROW("1f 0 1 1 1 2 load local instrumented 4 0 0"), 1), "refused: ");
  EXPECT_EQ(readAs(ROW("1f 0 1 x 1 2 load local instrumented 4 0"), 1), "refused: ");
  EXPECT_EQ(readAs("", 1), "refused: ");
}
#undef ROW

TEST(Emission, RowsAreJoinedToLiteralsOfBoundedLength) {
  Table table = tableOfFiles();
  for (std::uint32_t line = 1; line <= 1000; ++line) table.add(siteAt(line, "a[i]"));
  table.finalize();
  const std::string text = table.epilogue();
  std::size_t literals = 0;
  for (std::size_t at = text.find("\",\n\""); at != std::string::npos; at = text.find("\",\n\"", at + 1))
    ++literals;
  EXPECT_GE(literals, 2u);
  EXPECT_LE(literals, 8u);
}

TEST(Emission, JsonHoldsWhatCppHolds) {
  Table table = tableOfFiles();
  Site site = siteAt(3, "a[\xff]");  // not UTF-8
  site.status = Status::skipped;
  site.reason = "a bitfield has no address";
  table.add(site);
  table.finalize();
  const auto json = nlohmann::json::parse(table.json());
  EXPECT_EQ(json["main_file"], "v.cu");
  EXPECT_EQ(json["sites"][0]["status"], "skipped");
  EXPECT_EQ(json["sites"][0]["reason"], "a bitfield has no address");
  EXPECT_EQ(json["sites"][0]["line"], 3);
}

TEST(Emission, TheUnitIdFollowsTheTables) {
  const auto unitOf = [](const char* expression) {
    Table table = tableOfFiles();
    table.add(siteAt(3, expression));
    table.finalize();
    return table.unitId();
  };
  EXPECT_EQ(unitOf("a[i]"), unitOf("a[i]"));
  EXPECT_NE(unitOf("a[i]"), unitOf("a[j]"));
}

TEST(Normalise, KeepsTokensOnOneLine) {
  EXPECT_EQ(normalise(" a[ i \\\n + // next\n 1 ] /* end */"), "a[ i + 1 ]");
  EXPECT_EQ(normalise("\"a  b\"  [0]"), "\"a  b\" [0]");
}

}  // namespace
}  // namespace cui::sites
