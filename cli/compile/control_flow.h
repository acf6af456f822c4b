// The control flow of a function's PTX: what is run from its first instruction to its last, and what comes to
// be run again.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace cui::cli {

/// An instruction's name, behind its predicate: `ld.volatile.global.u32`; empty of other lines.
std::string_view operationOf(std::string_view line);

/// Whether nothing behind the line is come to from it: what only some lanes do ends nothing.
bool endsBlock(std::string_view line, std::string_view operation);

inline bool mentions(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// A function's blocks, by the lines that name labels: branches, and tables of them.
class ControlFlow {
 public:
  /// A line of the body, what operationOf() says of it, and the number of its block. False ends the reading.
  using Visit = std::function<bool(std::string_view line, std::string_view operation, std::size_t block)>;

  /// Of a body of instructions, each on a line of its own. False if `visit` has ended it.
  bool read(std::string_view body, const Visit& visit);

  /// Whether the second block may be run behind the first; the block behind itself, again.
  bool leadsTo(std::size_t block, std::size_t other) const;
  bool comesBack(std::size_t block) const { return leadsTo(block, block); }

  /// In how many loops it is, as compilers lay them out: from the block that is gone back to, to the last one
  /// that does.
  std::size_t loopsRound(std::size_t block) const;

  /// The block that is come from to this one alone, and that goes to this one alone, if there is one.
  std::optional<std::size_t> ledInFrom(std::size_t block) const;

 private:
  struct Block {
    std::vector<std::string_view> next;  ///< labels that it names
    bool goesOn = true;                  ///< to the block behind it
    bool empty = true;
    std::vector<std::size_t> behind;  ///< those that it goes to
    std::vector<std::size_t> before;  ///< those that go to it, each once
  };
  bool readBlocks(std::string_view body, const Visit& visit);
  void link();
  /// Those with instructions that the block is come to from.
  void addBefore(std::size_t block, std::vector<std::size_t>& before) const;

  std::vector<Block> blocks_;
  std::map<std::string_view, std::size_t> labels_;
};

}  // namespace cui::cli
