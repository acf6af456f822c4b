// A warp that runs PTX, for tests of text that kernels run: straight code, branches, questions to other
// lanes, and memory, of the instructions that in_place_text.cpp writes. What hardware would wait for in vain
// is an error here: lanes that are asked and do not come.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cui::cli {

constexpr unsigned warpLanes = 32;

class PtxWarp {
 public:
  using Number = std::uint64_t;

  explicit PtxWarp(std::string_view text);

  /// Registers, which keep their numbers from one run to the next; a predicate is 0 or 1.
  Number& at(const std::string& name, unsigned lane) { return registers_[indexOf(name)][lane]; }

  std::vector<std::string> names() const;

  /// By their offsets in the unit's state.
  std::map<unsigned, Number> constants;
  /// What a function does that is called by these lanes, with its operands: `param1`, and returns in
  /// `retval0`.
  std::function<void(const std::string& function, std::uint32_t lanes)> call;
  /// Where a run has stored words of 32 bits, by address.
  std::map<Number, std::uint32_t> stored;

  /// What one has added to words of 64 bits.
  std::map<Number, Number> added;

  /// How many questions have been put to other lanes, by their instructions' names without types.
  std::map<std::string, unsigned> asked;

  /// Runs these lanes to the end. Returns what went wrong, or nothing: also an instruction that is unknown.
  std::string run(std::uint32_t lanes);

 private:
  struct Instruction {
    std::string line, operation;
    int predicate = -1;  ///< a register; -1: none
    bool negated = false;
    std::vector<std::string> operands;
    std::vector<int> registers;  ///< of the operands, -1 where one is no register
    std::vector<Number> numbers;
    std::size_t target = 0;
  };
  int indexOf(const std::string& name);
  void parse(const std::string& line);
  Number valueOf(const Instruction& one, std::size_t operand, unsigned lane) const;
  Number addressIn(const std::string& operand, unsigned lane);
  std::vector<std::string> groupOf(const std::string& operand) const;
  /// Of the lanes of `group`. Returns what went wrong.
  std::string execute(const Instruction& one, std::uint32_t group);
  void compute(const Instruction& one, unsigned lane);
  std::string ask(const Instruction& one, std::uint32_t group);

  std::map<std::string, int> names_;
  std::vector<std::array<Number, warpLanes>> registers_;
  std::vector<Instruction> code_;
  std::map<std::string, std::size_t> labels_;
  std::array<std::size_t, warpLanes> next_ = {};
  std::set<std::string> unknown_;
  std::map<std::string, Number> symbols_;                ///< where variables are
  std::map<std::pair<unsigned, Number>, Number> local_;  ///< by lane and address
};

}  // namespace cui::cli
