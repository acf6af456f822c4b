// YIELD goes from the recorder's functions, and stays in others.
#include "cli/compile/yields.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/errors.h"
#include "cli/compile/cubin.h"
#include "tests/cli/cubin_header.h"

namespace cui::cli {
namespace {

using Instructions = std::vector<std::array<std::uint64_t, 2>>;

// As ptxas writes them for sm_90: YIELD, the same behind a predicate, and a return.
const Instructions body = {
    {0x7946, 0x000fea0003800000}, {0x3946, 0x000fee0003800000}, {0x7950, 0x000fea0003c00000}};

/// Code of functions of that body, in sections of these names, behind the tables that there have to be.
std::string codeOf(const std::vector<std::string>& sections) {
  std::string names(1, '\0'), data;
  std::vector<Elf64_Shdr> headers(1);
  const auto section = [&](std::string_view name, std::string_view contents) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(names.size());
    names.append(name).append(1, '\0');
    header.sh_offset = sizeof(Elf64_Ehdr) + data.size();
    header.sh_size = contents.size();
    headers.push_back(header);
    data.append(contents);
  };
  section(".symtab", std::string(sizeof(Elf64_Sym), '\0'));
  std::string instructions;
  for (const auto& instruction : body) add(instructions, instruction);
  for (const std::string& name : sections) section(name, instructions);
  section(".shstrtab", "");
  headers.back().sh_size = names.size();
  data.append(names);
  Elf64_Ehdr header = cubinHeader();
  header.e_shoff += data.size();
  header.e_shnum = static_cast<Elf64_Half>(headers.size());
  header.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
  std::string code;
  add(code, header);
  code.append(data);
  for (const Elf64_Shdr& each : headers) add(code, each);
  return code;
}

/// The instructions of the function with that number in codeOf().
Instructions instructionsOf(const std::string& code, std::size_t function) {
  Instructions found(body.size());
  std::memcpy(found.data(),
              code.data() + sizeof(Elf64_Ehdr) + sizeof(Elf64_Sym) + function * sizeof body[0] * body.size(),
              sizeof body[0] * body.size());
  return found;
}

const std::string taking =
                      ".text._ZN3cui7backend10takeChunksILi4EEENS0_6CursorEPNS0_13DeviceContextEjPS2_S2_bb",
                  toolkits = ".text.__cuda_sm70_votesync_ballot", users = ".text._Z10takeChunksv";

TEST(Yields, GoFromTheRecordersFunctions) {
  const std::string code = codeOf({toolkits, taking, users}), without = withoutYields(code);
  ASSERT_EQ(without.size(), code.size());
  EXPECT_EQ(instructionsOf(without, 0), body);
  EXPECT_EQ(instructionsOf(without, 2), body);
  const Instructions left = {{0x7918, 0x000fea0000000000}, {0x3918, 0x000fee0000000000}, body[2]};
  EXPECT_EQ(instructionsOf(without, 1), left);
  EXPECT_EQ(withoutYields(without), without);
}

TEST(Yields, StayInCodeThatHasASecondForm) {
  const std::string code = codeOf({taking, ".nv.capmerc.text._ZN3cui7backend10takeChunksILi4EEEv"});
  EXPECT_EQ(withoutYields(code), code);
}

TEST(Yields, WhatIsNoMachineCodeIsRefused) {
  EXPECT_THROW(withoutYields(""), Error);
  EXPECT_THROW(withoutYields("ptxas\n"), Error);
}

}  // namespace
}  // namespace cui::cli
