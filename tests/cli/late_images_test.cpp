// What fatbinary embeds: its text before there are images, and the images for the assembler.
#include "cli/compile/late_images.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/base/files.h"
#include "cli/base/temporary.h"

namespace cui::cli {
namespace {
namespace fs = std::filesystem;

constexpr const char* embedded =
    "asm(\n\".section .nv_fatbin, \\\"a\\\"\\n\"\n\"fatbinData:\\n\"\n\".quad 0x1,0x2\\n\"\n\".quad "
    "0x3\\n\"\n\".text\\n\");\n"
    "extern const unsigned long long fatbinData[3];\nint a[3];\n";

TEST(LateImages, TextAndImagesAreApart) {
  const EmbeddedImages apart = takenApart(embedded, "/t/images");
  EXPECT_EQ(apart.text,
            "asm(\n\".section .nv_fatbin, \\\"a\\\"\\n\"\n\"fatbinData:\\n\"\n\".include "
            "\\\"/t/images.0\\\"\\n\"\n\".text\\n\");\n"
            "extern const unsigned long long fatbinData[];\nint a[3];\n");
  EXPECT_EQ(apart.images, std::vector<std::string>({".quad 0x1,0x2\n.quad 0x3\n"}));
}

TEST(LateImages, EachSetOfImagesIsAFile) {
  const EmbeddedImages apart = takenApart(std::string(embedded) + embedded, "/t/images");
  ASSERT_EQ(apart.images.size(), 2U);
  EXPECT_NE(apart.text.find("/t/images.1"), std::string::npos);
  EXPECT_EQ(apart.images[0], apart.images[1]);
}

TEST(LateImages, WhatHasNoneStaysAsItIs) {
  const EmbeddedImages apart = takenApart("int f() { return \".quad\"[0]; }\n", "/t/images");
  EXPECT_EQ(apart.text, "int f() { return \".quad\"[0]; }\n");
  EXPECT_TRUE(apart.images.empty());
}

/// A program in fatbinary's place, that writes the file that its line names, and its line in it.
class LateImagesOfLines : public testing::Test {
 protected:
  LateImagesOfLines() {
    setProgram(
        "for word; do case $word in --embedded-fatbin=*) file=${word#*=} ;; esac; done\n"
        "printf '// %s\\n\".quad 0x7\\\\n\"\\n' \"$*\" > \"$file\"\n");
  }
  void setProgram(const std::string& script) {
    replaceFile(program_, "#!/bin/sh\n" + script);
    fs::permissions(program_, fs::perms::owner_all);
  }
  std::optional<std::string> text(const std::string& words,
                                  const std::vector<fs::path>& ptx = {"unit.ptx"}) const {
    return textWithoutImages(program_.string() + " -64 " + words, ptx, temporary_.path(), "/t/images");
  }

  TemporaryDirectory temporary_{"late_images_test"};
  fs::path program_ = temporary_.path() / "fatbinary";
};

TEST_F(LateImagesOfLines, AreAskedForWithAnotherImage) {
  const std::string folder = temporary_.path();
  EXPECT_EQ(text("--device-c \"--image3=kind=elf,sm=80,file=a b\" --create=\"c\" --embedded-fatbin=\"d\""),
            "// -64 --device-c --embedded-fatbin=" + folder +
                "/nothing.fatbin.c --image3=kind=ptx,sm=90,file=" + folder +
                "/nothing.ptx\n\".include \\\"/t/images.0\\\"\\n\"\n");
}

TEST_F(LateImagesOfLines, AreNotKnownOfOthers) {
  EXPECT_FALSE(text("--image3=kind=elf,sm=80,file=a --create=c")) << "embeds nothing";
  EXPECT_FALSE(text("--image3=kind=lto,sm=80,file=a --embedded-fatbin=d"));
  EXPECT_FALSE(text("--image3=kind=elf,sm=80,file=a --embedded-fatbin=d", {})) << "of no unit";
  setProgram("exit 1\n");
  EXPECT_FALSE(text("--image3=kind=elf,sm=80,file=a --embedded-fatbin=d"));
}

}  // namespace
}  // namespace cui::cli
