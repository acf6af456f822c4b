// CSV and JSON, with every type and the characters that need care.
#include "db/exporters/exporters.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

class Exporters : public testing::Test {
 protected:
  Exporters() { EXPECT_OK(openWriter(path_)->close()); }
  std::string text(const char* format, const std::string& sql) {
    std::ostringstream out;
    const auto reader = openReader(path_);
    const auto writer = findExporter(format)->make(out);
    EXPECT_OK(exportQuery(*reader, sql, *writer));
    return out.str();
  }
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.db");
};

constexpr const char* everyType =
    "SELECT 1 AS i, 2.5 AS r, 3.0 AS whole, 'a,\"b\"' || char(10) AS t, '' AS empty, NULL AS n, x'00ff' AS b";

TEST_F(Exporters, Csv) {
  EXPECT_EQ(text("csv", everyType), "i,r,whole,t,empty,n,b\r\n1,2.5,3.0,\"a,\"\"b\"\"\n\",\"\",,x'00ff'\r\n");
  EXPECT_EQ(text("csv", "SELECT 1 AS \"a b\", 2 AS \"c,d\" WHERE 0"), "a b,\"c,d\"\r\n");
}

TEST_F(Exporters, Json) {
  EXPECT_EQ(
      text("json", everyType),
      "[\n{\"i\": 1, \"r\": 2.5, \"whole\": 3.0, \"t\": \"a,\\\"b\\\"\\n\", \"empty\": \"\", \"n\": null, "
      "\"b\": \"00ff\"}\n]\n");
  EXPECT_EQ(text("json", "SELECT 1 WHERE 0"), "[]\n");
  EXPECT_EQ(text("json", "VALUES (1), (2)"), "[\n{\"column1\": 1},\n{\"column1\": 2}\n]\n");
  // Two columns of one name, an infinite real, a control character, and bytes that are not UTF-8.
  EXPECT_EQ(text("json", "SELECT 9e999 AS a, char(1) || '\xc3\xa9' AS a, CAST(x'41ff42' AS TEXT) AS c"),
            "[\n{\"a\": \"Inf\", \"a_2\": \"\\u0001\xc3\xa9\", \"c\": \"A\\ufffdB\"}\n]\n");
}

TEST_F(Exporters, JsonLines) {
  EXPECT_EQ(text("jsonl", "VALUES (1), (2)"), "{\"column1\": 1}\n{\"column1\": 2}\n");
}

TEST_F(Exporters, TheCatalogueFindsByName) {
  EXPECT_EQ(findExporter("no such format"), nullptr);
  for (const Exporter& exporter : exporters()) EXPECT_EQ(findExporter(exporter.name), &exporter);
}

}  // namespace
}  // namespace cui::db
