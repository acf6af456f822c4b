#include "cli/compile/joined_code.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/compile/cubin.h"

namespace cui::cli {
namespace {

/// What is in one file, grown by the other's.
class Joining {
 public:
  Joining(std::string_view unit, std::string_view recorder)
      : unit_(unit), recorder_(recorder), symbols_(recorder_.symbols.size()) {
    // The bits left out say whether there are tables of lines.
    constexpr Elf64_Word lines = 0x0c000000;
    if (((unit_.header.e_flags ^ recorder_.header.e_flags) & ~lines) != 0 ||
        unit_.header.e_machine != recorder_.header.e_machine ||
        std::memcmp(unit_.header.e_ident, recorder_.header.e_ident, EI_NIDENT) != 0)
      refuseCode("it is for different GPUs");
    for (std::size_t i = 0; i < unit_.symbols.size(); ++i) {
      const Elf64_Sym& symbol = unit_.symbols[i];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_SECTION)
        if (const std::string_view name = unit_.nameOf(symbol); !name.empty()) unitSymbols_.emplace(name, i);
    }
  }

  std::string join() {
    placeSections();
    defineFunctions();
    addToFrames();
    for (const std::size_t section : added_) addSection(section);
    addToInfo();
    addToCalls();
    addToPrototypes();
    return written();
  }

 private:
  using Index = std::uint32_t;
  struct Section {
    Elf64_Shdr header;
    std::string data;
  };

  /// The function that a section of the recorder is about; nothing if it is about none.
  static std::optional<std::string_view> functionOf(std::string_view section) {
    for (const std::string_view begin :
         {".text.", ".nv.info.", ".rela.text.", ".rel.text.", ".nv.constant2."})
      if (const auto function = behind(section, begin)) return function;
    return std::nullopt;
  }
  /// Those that both have are merged, one by one; the toolkit's own notes are the same in both.
  static bool isMerged(std::string_view section) {
    constexpr std::array known = {"",
                                  ".shstrtab",
                                  ".strtab",
                                  ".symtab",
                                  ".note.nv.tkinfo",
                                  ".note.nv.cuinfo",
                                  ".nv.compat",
                                  ".debug_frame",
                                  ".rela.debug_frame",
                                  ".rel.debug_frame",
                                  ".nv.info",
                                  ".nv.callgraph",
                                  ".nv.prototype"};
    return std::find(known.begin(), known.end(), section) != known.end();
  }

  /// Functions that the unit has as well are the toolkit's (`__cuda_sm70_warpsync`).
  bool isOfUnit(std::string_view function) const {
    const auto found = unitSymbols_.find(function);
    return found != unitSymbols_.end() && unit_.symbols[found->second].st_shndx != SHN_UNDEF;
  }

  void placeSections() {
    places_.resize(recorder_.sections.size());
    for (std::size_t i = 1; i < recorder_.sections.size(); ++i) {
      const std::string_view name = recorder_.names[i];
      const auto function = functionOf(name);
      if (!function && !isMerged(name)) refuseCode("an unknown section " + std::string(name));
      if (!function || isOfUnit(*function)) continue;
      places_[i] = static_cast<Index>(unit_.sections.size() + added_.size());
      added_.push_back(i);
    }
    if (unit_.sections.size() + added_.size() >= SHN_LORESERVE) refuseCode("there are too many sections");
    compareNeeds();
  }

  /// What both ask of a GPU is the same, but for the class of their instructions: that of textures is above
  /// the recorder's, and a link takes the higher of two, which the unit says already.
  void compareNeeds() const {
    constexpr unsigned char instructionClass = 2;
    const std::size_t own = unit_.find(".nv.compat"), other = recorder_.find(".nv.compat");
    std::string needs(own == 0 ? "" : unit_.contents(own));
    const std::string_view recorders = other == 0 ? "" : recorder_.contents(other);
    if (needs.size() == recorders.size())
      forEachAttribute(needs, [&](unsigned char attribute, std::size_t at, std::size_t) {
        const auto level = valueAt<std::uint16_t>(recorders, at);
        if (attribute == instructionClass && level < valueAt<std::uint16_t>(needs, at)) put(needs, at, level);
      });
    if (needs != recorders) refuseCode("it is compatible with different GPUs");
  }

  /// A section of the unit that grows.
  std::string& grown(std::string_view name) {
    const std::size_t section = unit_.need(name);
    const auto [place, isNew] = grown_.try_emplace(section);
    if (isNew) place->second = unit_.contents(section);
    return place->second;
  }
  Index textFor(std::string_view name) {
    std::string& strings = grown(".strtab");
    const auto at = static_cast<Index>(strings.size());
    strings.append(name).append(1, '\0');
    return at;
  }
  Index addSymbol(const Elf64_Sym& symbol) {
    std::string& table = grown(".symtab");
    add(table, symbol);
    return static_cast<Index>(table.size() / sizeof symbol - 1);
  }

  /// As a symbol of the joined file.
  Elf64_Sym placed(Elf64_Sym symbol, Index name) const {
    symbol.st_name = name;
    if (symbol.st_shndx != SHN_UNDEF) {
      if (symbol.st_shndx >= places_.size() || places_[symbol.st_shndx] == 0)
        refuseCode("a symbol of something that is not added");
      symbol.st_shndx = static_cast<Elf64_Section>(places_[symbol.st_shndx]);
    }
    return symbol;
  }

  /// What the recorder calls by this number, which is added if there is no such symbol yet.
  Index symbol(std::size_t number) {
    if (number >= symbols_.size()) refuseCode("no such symbol");
    if (number == 0) return 0;
    std::optional<Index>& known = symbols_[number];
    if (known) return *known;
    const Elf64_Sym& symbol = recorder_.symbols[number];
    if (ELF64_ST_TYPE(symbol.st_info) == STT_SECTION) {
      known = addSymbol(placed(symbol, 0));
      return *known;
    }
    const std::string_view name = recorder_.nameOf(symbol);
    const auto found = unitSymbols_.find(name);
    // Of what neither defines, nvlink knows `.nv.ptx.const0.size`.
    if (name.empty() ||
        (found == unitSymbols_.end() && symbol.st_shndx == SHN_UNDEF && !behind(name, ".nv.")))
      refuseCode("an unknown symbol " + std::string(name));
    if (found == unitSymbols_.end()) {
      known = addSymbol(placed(symbol, textFor(name)));
    } else {
      known = static_cast<Index>(found->second);
      if (!isOfUnit(name) && symbol.st_shndx != SHN_UNDEF)
        put(grown(".symtab"), found->second * sizeof symbol,
            placed(symbol, unit_.symbols[found->second].st_name));
    }
    return *known;
  }

  void defineFunctions() {
    for (std::size_t i = 0; i < recorder_.symbols.size(); ++i)
      if (ELF64_ST_TYPE(recorder_.symbols[i].st_info) == STT_FUNC) symbol(i);
  }

  /// Calls `visit(relocation, where it is in the table)` for each, of whichever kind.
  template <class Visit>
  void forEachRelocation(std::size_t section, const Visit& visit) const {
    const std::string_view table = recorder_.contents(section);
    const bool withAddend = recorder_.sections[section].sh_type == SHT_RELA;
    const std::size_t size = withAddend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    if (recorder_.sections[section].sh_entsize != size) refuseCode("unknown relocations");
    for (std::size_t at = 0; at < table.size(); at += size) {
      const auto head = valueAt<Elf64_Rel>(table, at);
      visit(Elf64_Rela{head.r_offset, head.r_info,
                       withAddend ? valueAt<Elf64_Sxword>(table, at + sizeof head) : 0},
            at);
    }
  }
  static Elf64_Xword withSymbol(Elf64_Xword info, Index symbol) {
    return ELF64_R_INFO(Elf64_Xword{symbol}, ELF64_R_TYPE(info));
  }
  std::string relocations(std::size_t section) {
    std::string table(recorder_.contents(section));
    forEachRelocation(section, [&](const Elf64_Rela& relocation, std::size_t at) {
      if (const std::size_t number = ELF64_R_SYM(relocation.r_info); number != 0)
        put(table, at + offsetof(Elf64_Rela, r_info), withSymbol(relocation.r_info, symbol(number)));
    });
    return table;
  }

  bool isFrames(std::size_t number) const {
    const Elf64_Sym& symbol = recorder_.symbols.at(number);
    return ELF64_ST_TYPE(symbol.st_info) == STT_SECTION &&
           recorder_.names.at(symbol.st_shndx) == ".debug_frame";
  }
  /// The symbol of the unit's frames.
  Index frames() {
    const std::size_t section = unit_.need(".debug_frame");
    for (std::size_t i = 0; i < unit_.symbols.size(); ++i)
      if (ELF64_ST_TYPE(unit_.symbols[i].st_info) == STT_SECTION && unit_.symbols[i].st_shndx == section)
        return static_cast<Index>(i);
    refuseCode("no symbol of .debug_frame");
  }

  /// How a debugger finds callers. What has no addend beside it has none: the table has zeros there.
  void addToFrames() {
    const std::string_view recorders = recorder_.contents(recorder_.need(".debug_frame"));
    std::string& all = grown(".debug_frame");
    const std::size_t base = all.size();
    all.append(recorders);
    for (const char* name : {".rela.debug_frame", ".rel.debug_frame"}) {
      const std::size_t table = recorder_.find(name);
      if (table == 0) continue;
      forEachRelocation(table, [&](Elf64_Rela relocation, std::size_t) {
        const std::size_t number = ELF64_R_SYM(relocation.r_info);
        const bool ofFrames = isFrames(number);
        // What is there twice belongs to no function then, as nvlink has it.
        if (!ofFrames && isOfUnit(recorder_.nameOf(recorder_.symbols[number]))) return;
        if (recorder_.sections[table].sh_type == SHT_REL &&
            valueAt<Elf64_Xword>(recorders, relocation.r_offset) != 0)
          refuseCode("unknown relocations");
        relocation.r_offset += base;
        relocation.r_info = withSymbol(relocation.r_info, ofFrames ? frames() : symbol(number));
        if (ofFrames) relocation.r_addend += static_cast<Elf64_Sxword>(base);
        if (ofFrames || recorder_.sections[table].sh_type == SHT_RELA)
          add(grown(".rela.debug_frame"), relocation);
        else
          add(grown(".rel.debug_frame"), Elf64_Rel{relocation.r_offset, relocation.r_info});
      });
    }
  }

  Index placeOf(std::size_t section) const {
    if (section >= places_.size() || places_[section] == 0) refuseCode("a section of one that is not added");
    return places_[section];
  }

  void addSection(std::size_t number) {
    Section section{recorder_.sections[number], std::string(recorder_.contents(number))};
    const std::string_view name = recorder_.names[number];
    Elf64_Shdr& header = section.header;
    if (header.sh_link != recorder_.find(".symtab") && header.sh_link != 0) refuseCode("an unknown link");
    if (header.sh_link != 0) header.sh_link = static_cast<Elf64_Word>(unit_.need(".symtab"));
    if (header.sh_type == SHT_RELA || header.sh_type == SHT_REL) {
      section.data = relocations(number);
      header.sh_info = placeOf(header.sh_info);
    } else if (behind(name, ".text.")) {
      // The symbol, and what older formats have above it.
      constexpr Elf64_Word symbolBits = 0xffffff;
      header.sh_info = (header.sh_info & ~symbolBits) | symbol(header.sh_info & symbolBits);
    } else {
      header.sh_info = placeOf(header.sh_info);
      if (behind(name, ".nv.info.")) checkInfo(section.data);
    }
    std::string& names = grown(".shstrtab");
    header.sh_name = static_cast<Elf64_Word>(names.size());
    names.append(name).append(1, '\0');
    newSections_.push_back(std::move(section));
  }

  /// None of these has a symbol's number.
  static void checkInfo(std::string_view info) {
    forEachAttribute(info, [](unsigned char attribute, std::size_t, std::size_t) {
      constexpr std::array<unsigned char, 13> known = {0x04, 0x1c, 0x1e, 0x28, 0x29, 0x31, 0x35,
                                                       0x36, 0x37, 0x4c, 0x50, 0x55, 0x5f};
      if (std::find(known.begin(), known.end(), attribute) == known.end())
        refuseCode("an unknown attribute " + std::to_string(attribute));
    });
  }

  void addToInfo() {
    const std::string_view info = recorder_.contents(recorder_.need(".nv.info"));
    std::string& all = grown(".nv.info");
    forEachAttribute(info, [&](unsigned char attribute, std::size_t at, std::size_t bytes) {
      constexpr std::size_t twoWords = 8, headBytes = 4;
      constexpr unsigned char ofFile = 0x5f;
      if (attribute == ofFile) return;  // the kernels of the unit say it
      if ((attribute != stackNeeded && attribute != frame && attribute != registersUsed) || bytes != twoWords)
        refuseCode("an unknown attribute " + std::to_string(attribute));
      const std::size_t number = valueAt<std::uint32_t>(info, at);
      if (isOfUnit(recorder_.nameOf(recorder_.symbols.at(number)))) return;
      const std::size_t begin = all.size();
      all.append(info.substr(at - headBytes, headBytes + twoWords));
      put(all, begin + headBytes, symbol(number));
    });
  }

  /// Pairs of caller and callee, behind (0, -1) if the call names it; in lists behind other marks, what is
  /// called through pointers.
  void addToCalls() {
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    constexpr std::uint32_t direct = ~0u, firstMark = ~0u - 15;
    const std::string_view calls = recorder_.contents(recorder_.need(".nv.callgraph"));
    std::string own;
    std::uint32_t list = 0;
    for (std::size_t at = 0; at < calls.size(); at += 2 * sizeof list) {
      const Pair pair(valueAt<std::uint32_t>(calls, at), valueAt<std::uint32_t>(calls, at + sizeof list));
      if (pair.first == 0 && pair.second >= firstMark) {
        list = pair.second;
        continue;
      }
      if (list != direct) refuseCode("the recorder has calls of an unknown kind");
      if (isOfUnit(recorder_.nameOf(recorder_.symbols.at(pair.first)))) continue;
      add(own, symbol(pair.first));
      add(own, symbol(pair.second));
    }
    std::string& all = grown(".nv.callgraph");
    if (valueAt<std::uint32_t>(all, 0) != 0 || valueAt<std::uint32_t>(all, sizeof list) != direct)
      refuseCode("the unit has calls of an unknown kind");
    all.insert(2 * sizeof list, own);
  }

  void addToPrototypes() {
    const std::string_view prototypes = recorder_.contents(recorder_.need(".nv.prototype"));
    const std::string_view strings = recorder_.contents(recorder_.need(".strtab"));
    std::string& all = grown(".nv.prototype");
    std::vector<Index> known;
    for (std::size_t at = 0; at < all.size(); at += 2 * sizeof(Index))
      known.push_back(valueAt<Index>(all, at));
    std::map<std::string_view, Index> texts;
    for (std::size_t at = 0; at < prototypes.size(); at += 2 * sizeof(Index)) {
      const Index function = symbol(valueAt<Index>(prototypes, at));
      if (std::find(known.begin(), known.end(), function) != known.end()) continue;
      const std::string_view text = textAt(strings, valueAt<Index>(prototypes, at + sizeof(Index)));
      const auto [place, isNew] = texts.try_emplace(text, 0);
      if (isNew) place->second = textFor(text);
      add(all, function);
      add(all, place->second);
    }
  }

  static void align(std::string& bytes, std::size_t alignment) {
    if (alignment > 1) bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
  }
  /// The unit's bytes stay where they are; what has grown lies behind them, with what is new.
  std::string written() {
    std::string result(unit_.bytes);
    std::vector<Elf64_Shdr> sections = unit_.sections;
    const auto append = [&result](Elf64_Shdr& header, const std::string& data) {
      align(result, header.sh_addralign);
      header.sh_offset = result.size();
      header.sh_size = data.size();
      result.append(data);
    };
    const std::size_t table = unit_.need(".symtab");
    for (const auto& [number, data] : grown_) {
      append(sections[number], data);
      if (number == table && sections[number].sh_info == unit_.symbols.size())
        sections[number].sh_info = static_cast<Elf64_Word>(data.size() / sizeof(Elf64_Sym));
    }
    for (Section& section : newSections_) {
      append(section.header, section.data);
      sections.push_back(section.header);
    }
    align(result, alignof(Elf64_Shdr));
    Elf64_Ehdr header = unit_.header;
    header.e_shoff = result.size();
    header.e_shnum = static_cast<Elf64_Half>(sections.size());
    put(result, 0, header);
    for (const Elf64_Shdr& section : sections) add(result, section);
    return result;
  }

  Cubin unit_, recorder_;
  std::map<std::string_view, std::size_t> unitSymbols_;
  std::vector<Index> places_;                  ///< of the recorder's sections that are added; else 0
  std::vector<std::size_t> added_;             ///< these, in the file's order
  std::vector<std::optional<Index>> symbols_;  ///< of the recorder's that are known in the joined file
  std::map<std::size_t, std::string> grown_;   ///< the unit's sections that are longer now
  std::vector<Section> newSections_;
};

}  // namespace

std::string joinedCode(std::string_view unit, std::string_view recorder) {
  return Joining(unit, recorder).join();
}

}  // namespace cui::cli
