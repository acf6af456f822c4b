// Searches in texts find what the standard library's do.
#include "cli/base/find_text.h"

#include <gtest/gtest.h>

namespace cui::cli::find_text {
namespace {

constexpr std::string_view text = "\tld.const.u32 \t%r1, [_ZN3cui+12];\n\xe4\xff\n";

TEST(FindText, CharactersAreFoundAsByTheStandardLibrary) {
  for (const std::string_view some : {"{;", " \t", "%_", "\n", "", "\xff", "ld.const"})
    for (std::size_t at = 0; at <= text.size() + 1; ++at) {
      EXPECT_EQ(Characters(some).firstIn(text, at), text.find_first_of(some, at)) << some << at;
      EXPECT_EQ(Characters(some).firstNotIn(text, at), text.find_first_not_of(some, at)) << some << at;
    }
  EXPECT_EQ(Characters("a").firstIn(""), std::string_view::npos);
  EXPECT_EQ(Characters("a").firstNotIn(text, std::string_view::npos), std::string_view::npos);
}

TEST(FindText, PartsAreFoundAsByTheStandardLibrary) {
  for (const std::string_view part :
       {"ld", ".", ".u32", "\n", "", "];\n\xe4", "nowhere", "\t%r1, [_ZN3cui+12];\n\xe4\xff\n"})
    for (std::size_t at = 0; at <= text.size() + 1; ++at)
      EXPECT_EQ(findIn(text, part, at), text.find(part, at)) << part << at;
  EXPECT_EQ(findIn("", "a"), std::string_view::npos);
  EXPECT_EQ(findIn("", ""), 0u);
}

}  // namespace
}  // namespace cui::cli::find_text
