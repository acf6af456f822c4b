// What is no machine code as it is known is refused. That what is joined is what the toolkit would link,
// integration tests show, where there is a toolkit.
#include "cli/compile/joined_code.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cli/base/errors.h"
#include "cli/compile/code_registers.h"
#include "cli/compile/ptxas_line.h"
#include "tests/cli/cubin_header.h"

namespace cui::cli {
namespace {

std::string bytes(const Elf64_Ehdr& header, std::size_t more) {
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + std::string(more, '\0');
}

TEST(JoinedCode, WhatIsNoRelocatableCodeIsRefused) {
  EXPECT_THROW(joinedCode("", ""), Error);
  EXPECT_THROW(joinedCode("ptxas\n", "ptxas\n"), Error);
  EXPECT_THROW(joinedCode(std::string(4096, 'x'), std::string(4096, 'x')), Error);
  Elf64_Ehdr linked = cubinHeader();
  linked.e_type = ET_EXEC;
  EXPECT_THROW(registersOf(bytes(linked, 4096)), Error);
  Elf64_Ehdr loaded = cubinHeader();
  loaded.e_phnum = 1;
  EXPECT_THROW(registersOf(bytes(loaded, 4096)), Error);
}

TEST(JoinedCode, TablesThatEndTooEarlyAreRefused) {
  Elf64_Ehdr without = cubinHeader();
  EXPECT_THROW(registersOf(bytes(without, 0)), Error);
  without.e_shnum = 4;
  EXPECT_THROW(registersOf(bytes(without, sizeof(Elf64_Shdr))), Error);
  EXPECT_THROW(registersOf(bytes(without, 4 * sizeof(Elf64_Shdr))), Error);  // without a name
  without.e_shoff = ~Elf64_Off{0};
  EXPECT_THROW(registersOf(bytes(without, 4 * sizeof(Elf64_Shdr))), Error);
  without.e_shoff = sizeof without;
  Elf64_Shdr section{};
  section.sh_offset = 1 << 20;
  section.sh_size = 8;
  std::string code = bytes(without, 4 * sizeof section);
  std::memcpy(code.data() + sizeof without, &section, sizeof section);
  EXPECT_THROW(registersOf(code), Error);
}

TEST(PtxasLine, TellsFilesFromOptions) {
  const PtxasLine line(
      {"-arch=sm_90", "-m64", "-maxrregcount=40", "--compile-only", "a b.ptx", "-o", "out.cubin"});
  EXPECT_EQ(line.input, "a b.ptx");
  EXPECT_EQ(line.output, "out.cubin");
  EXPECT_EQ(line.gpu, "sm_90");
  EXPECT_TRUE(line.relocatable);
  EXPECT_EQ(line.maxRegisters, 40);
  EXPECT_EQ(line.others, (Words{"-arch=sm_90", "-m64", "-maxrregcount=40", "--compile-only"}));
  const PtxasLine other({"-arch", "sm_80", "-maxrregcount", "32", "a.ptx"});
  EXPECT_EQ(other.gpu, "sm_80");
  EXPECT_EQ(other.maxRegisters, 32);
  EXPECT_FALSE(other.relocatable);
  EXPECT_TRUE(other.output.empty());
  EXPECT_EQ(other.others, (Words{"-arch", "sm_80", "-maxrregcount", "32"}));
}

}  // namespace
}  // namespace cui::cli
