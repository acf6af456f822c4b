// What the template of an inline assembly statement is once it has been read: instructions on numbered slots.
//
// A slot is a register of 64 bits: the statement's operands come first, then what `.reg` declares. A value is
// in the low bits of its slot, extended as its type says.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "type.h"

namespace cui::cpu::ptx {

enum class Modifier : std::uint8_t {
#define CUI_PTX_MODIFIER(name, text) name,
#define CUI_PTX_SAME(name, text)
#include "modifiers.def"
  count
};

enum class Special : std::uint8_t {
#define CUI_PTX_SPECIAL(name, text, ...) name,
#include "special_registers.def"
};

struct Operand {
  enum class Kind : std::uint8_t {
    none,       ///< `_`
    slot,       ///< a register
    immediate,  ///< `bits`
    special,    ///< `special`
    list,       ///< `{a, b}`, `p|q`
    address,    ///< `[a+b]`: `parts` are what is added up
    label       ///< `bits` is the number of an instruction
  };
  Kind kind = Kind::none;
  bool isNegated = false;    ///< `!p`, `-x`; an immediate holds what it is then
  bool isPredicate = false;  ///< a register that was declared as one
  bool isReal = false;       ///< an immediate that is written as a number with a fraction, a double's pattern
  Special special{};
  std::uint32_t slot = 0;
  std::uint64_t bits = 0;
  std::vector<Operand> parts;
};

class Frame;
struct Instruction;
using Execute = void (*)(const Instruction&, Frame&);

struct Instruction {
  std::string text;  ///< as written, for messages
  Execute execute = nullptr;
  std::bitset<static_cast<std::size_t>(Modifier::count)> modifiers;
  std::vector<Type> types;
  std::vector<Operand> operands;
  std::int32_t predicate = -1;  ///< the slot that decides whether it is executed
  bool isPredicateNegated = false;

  bool has(Modifier modifier) const { return modifiers[static_cast<std::size_t>(modifier)]; }
  /// The i-th type of the name; the last one for what has fewer.
  Type type(std::size_t i = 0) const {
    return types.empty() ? Type::none : types[i < types.size() ? i : types.size() - 1];
  }
};

struct Program {
  std::vector<Instruction> instructions;
  unsigned slots = 0;
  std::string problem;  ///< why it cannot be run; "" if it can
};

/// `constraints`: of the statement's operands, as written.
Program parse(const char* text, const std::vector<std::string>& constraints);

}  // namespace cui::cpu::ptx
