// Unit tests of make-rule rewriting.
#include "cli/compile/dependency_file.h"

#include <gtest/gtest.h>

namespace cui::cli {
namespace {

std::string upper(const std::string& path) {
  return path == "a b$c#d" ? "x y$z#" : path;
}

TEST(Dependencies, escapesAreUndoneAndRedoneOnlyWhereAWordChanges) {
  EXPECT_EQ(mapDependencies("o.o : a\\ b$$c\\#d \\\n  keep\\ me$$ \\\n\nx:\n", upper),
            "o.o : x\\ y$$z\\# \\\n  keep\\ me$$ \\\n\nx:\n");
}

TEST(Dependencies, phonyTargetsAreMappedToo) {
  EXPECT_EQ(mapDependencies("a\\ b$$c\\#d:\n", upper), "x\\ y$$z\\#:\n");
}

TEST(Dependencies, aFileIsNamedOnce) {
  const auto original = [](const std::string& path) { return path.substr(path.find('_') + 1); };
  EXPECT_EQ(mapDependencies(
                "o.o : t_a.cu \\\n    a.cu \\\n    t_h.h \\\n    h.h\n\na.cu:\n\nt_h.h:\n\nh.h:\n", original),
            "o.o : a.cu \\\n    h.h\n\nh.h:\n");
  // A target is no prerequisite, and rules are apart from each other.
  EXPECT_EQ(mapDependencies("h.h x: a.cu h.h h.h\ny : h.h h.h\n", original), "h.h x: a.cu h.h\ny : h.h\n");
}

TEST(Dependencies, headersAreNamedAsIncludePathsNameThem) {
  const std::string here = std::filesystem::current_path();
  const PathMapping names = userNames({{"src/a.cu", "/tmp/t/0/a.cu", {"inc", "/opt/lib"}}});
  EXPECT_EQ(names("/tmp/t/0/a.cu"), "src/a.cu");
  EXPECT_EQ(names(here + "/src/h.h"), "src/h.h");
  EXPECT_EQ(names(here + "/src//../common/h.h"), "src/../common/h.h");
  EXPECT_EQ(names(here + "/inc/sub/h.h"), "inc/sub/h.h");
  EXPECT_EQ(names("/opt/lib/x.h"), "/opt/lib/x.h");
  EXPECT_EQ(names("/usr/include/stdio.h"), "/usr/include/stdio.h");
  // Mirrored, its first line unreadable: the path in the mirror is the header's absolute path.
  EXPECT_EQ(names("/tmp/t/0/a.cu.d/usr/include/foo.h"), "/usr/include/foo.h");
}

/// As nvcc 13 writes it.
TEST(DependencyFileOf, FilesInTheOrderOfTheirFirstLine) {
  const std::string text =
      "# 0 \"a b.cu\"\n# 0 \"<built-in>\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\n#pragma once\nint i;\n"
      "# 1 \"x$y#z.h\" 1\n# 2 \"a b.cu\" 2\n# 1 \"b\\\\s.h\" 1\n";
  const std::string other = "# 1 \"a b.cu\"\n# 1 \"host.h\" 1";
  EXPECT_EQ(
      dependencyFileOf({text, other}, {"out dir/a.o", false, true}),
      "out dir/a.o : a\\ b.cu \\\n    /usr/include/stdio.h \\\n    x$y#z.h \\\n    b/s.h \\\n    host.h\n");
  EXPECT_EQ(
      dependencyFileOf({text, other}, {"one two", true, false}),
      "one two : a\\ b.cu \\\n    x$y#z.h \\\n    b/s.h \\\n    host.h\n\nx$y#z.h:\n\nb/s.h:\n\nhost.h:\n");
}

}  // namespace
}  // namespace cui::cli
