// The head of machine code as ptxas writes it, for tests that make their own.
#pragma once

#include <elf.h>

#include <cstring>

namespace cui::cli {

/// Of code without sections; their table stands right behind it.
inline Elf64_Ehdr cubinHeader() {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_REL;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shoff = sizeof header;
  return header;
}

}  // namespace cui::cli
