#include "cli/compile/cubin.h"

#include <algorithm>

#include "cli/base/errors.h"

namespace cui::cli {

void refuseCode(const std::string& what) {
  throw Error(ExitCode::no, "machine code cannot be joined: " + what);
}

std::string_view textAt(std::string_view strings, std::size_t at) {
  if (at >= strings.size()) refuseCode("a name lies nowhere");
  strings.remove_prefix(at);
  return strings.substr(0, strings.find('\0'));
}

std::optional<std::string_view> behind(std::string_view name, std::string_view begin) {
  if (name.substr(0, begin.size()) != begin) return std::nullopt;
  return name.substr(begin.size());
}

Cubin::Cubin(std::string_view code) : bytes(code), header(valueAt<Elf64_Ehdr>(code, 0)) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL || header.e_phnum != 0 ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    refuseCode("no relocatable code");
  for (std::size_t i = 0; i < header.e_shnum; ++i)
    sections.push_back(valueAt<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr)));
  const std::string_view strings = contents(header.e_shstrndx);
  for (const Elf64_Shdr& section : sections) names.push_back(textAt(strings, section.sh_name));
  const std::string_view table = contents(need(".symtab"));
  for (std::size_t at = 0; at < table.size(); at += sizeof(Elf64_Sym))
    symbols.push_back(valueAt<Elf64_Sym>(table, at));
}

std::string_view Cubin::contents(std::size_t section) const {
  if (section >= sections.size()) refuseCode("no such section");
  const Elf64_Shdr& known = sections[section];
  if (known.sh_offset > bytes.size() || known.sh_size > bytes.size() - known.sh_offset)
    refuseCode("a section ends too late");
  return bytes.substr(known.sh_offset, known.sh_size);
}

std::size_t Cubin::find(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? 0 : static_cast<std::size_t>(found - names.begin());
}

std::size_t Cubin::need(std::string_view name) const {
  const std::size_t section = find(name);
  if (section == 0) refuseCode("no section " + std::string(name));
  return section;
}

std::string_view Cubin::nameOf(const Elf64_Sym& symbol) const {
  return textAt(contents(sections[need(".symtab")].sh_link), symbol.st_name);
}

}  // namespace cui::cli
