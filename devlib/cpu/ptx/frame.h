// One lane's run through a program: the values of its slots, and how instructions get at operands.
#pragma once

#include <cstdint>

#include "program.h"

namespace cui::cpu::ptx {

class Frame {
 public:
  Frame(std::uint64_t* slots, const char* file, unsigned line) : slots_(slots), file_(file), line_(line) {}

  /// The operand's pattern, extended as `type` says.
  std::uint64_t read(const Operand& operand, Type type) const {
    return extended(pattern(operand, type), type);
  }
  std::int64_t readSigned(const Operand& operand, Type type) const {
    return signExtended(pattern(operand, type), bitsOf(type));
  }
  bool readPredicate(const Operand& operand) const {
    return ((pattern(operand, Type::pred) & 1) != 0) != operand.isNegated;
  }
  void write(const Operand& operand, std::uint64_t bits, Type type) {
    if (operand.kind == Operand::Kind::slot) slots_[operand.slot] = extended(bits, type);
  }
  bool isTrue(std::uint32_t slot) const { return (slots_[slot] & 1) != 0; }

  /// The generic address of an operand `[…]`, in the window of shared memory or not.
  void* address(const Operand& operand, bool isShared) const;

  /// The carry of add.cc and its kin, which one statement may leave to another.
  std::uint32_t& carry();

  /// An instruction that runs, but not here; ends the lane.
  [[noreturn]] void unsupported(const Instruction& instruction, const char* why) const;

  const char* file() const { return file_; }
  unsigned line() const { return line_; }
  /// The number of the instruction that follows.
  std::size_t next() const { return next_; }
  void goTo(std::size_t instruction) { next_ = instruction; }

 private:
  std::uint64_t pattern(const Operand& operand, Type type) const;
  static std::uint64_t special(Special name);

  std::uint64_t* slots_;
  const char* file_;
  unsigned line_;
  std::size_t next_ = 0;
};

}  // namespace cui::cpu::ptx
