// libcuinstrument_sqlite in the clients that people have: stock sqlite3 and Python's sqlite3.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

std::string output(const std::string& command) {
  std::string result;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  for (int c; pipe && (c = std::fgetc(pipe)) != EOF;) result += static_cast<char>(c);
  EXPECT_EQ(pipe ? pclose(pipe) : -1, 0) << result;
  return result;
}

class Extension : public testing::Test {
 protected:
  Extension() {
    WriterOptions options;
    options.materializeLimit = 0;
    auto writer = openWriter(path_, options);
    EXPECT_OK(writer->addLaunch(launchRow(1, 4, 32)));
    Slots slots;
    for (std::uint32_t block = 0; block < 4; ++block)
      slots.push_back(header(0, block * 128, 4, ~0u, 4, Space::global, AddressForm::affine, false, block));
    EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
    EXPECT_OK(writer->close());
  }
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.db");
};

TEST_F(Extension, StockSqlite) {
  // By the entry point's name, and by the name SQLite makes of the file's.
  for (const char* entry : {" sqlite3_cuinstrument_init", ""})
    EXPECT_EQ(output(std::string(CUI_SQLITE3) + " '" + path_ + "' '.load " CUI_EXTENSION + entry +
                     "' 'SELECT block_x, address FROM access WHERE address > 200' "
                     "'SELECT count(*), max(thread_x) FROM thread_access'"),
              "2|256\n3|384\n128|31\n");
}

TEST_F(Extension, Python) {
  if (std::string_view(CUI_PYTHON).empty()) GTEST_SKIP() << "no Python here can load SQLite extensions";
  const std::string script = folder_.file("a.py");
  std::ofstream(script) << "import sqlite3, sys\n"
                           "trace = sqlite3.connect(sys.argv[1])\n"
                           "trace.enable_load_extension(True)\n"
                           "trace.load_extension(sys.argv[2])\n"
                           "for row in trace.execute('SELECT l.name, a.sequence, n.address FROM access a '\n"
                           "    'JOIN access_lane n USING(launch_id, sequence), (SELECT ? AS name) l '\n"
                           "    'WHERE block_x = ? AND lane = 31', ('x', 2)):\n"
                           "    print(row)\n"
                           "trace.close()\n";
  EXPECT_EQ(output(CUI_PYTHON " " + script + " '" + path_ + "' " CUI_EXTENSION), "('x', 2, 380)\n");
}

TEST_F(Extension, OtherDatabasesStayAsTheyAre) {
  EXPECT_EQ(output(CUI_SQLITE3 " :memory: '.load " CUI_EXTENSION "' 'CREATE TABLE access(a); "
                               "INSERT INTO access VALUES(1); SELECT * FROM access'"),
            "1\n");
}

}  // namespace
}  // namespace cui::db
