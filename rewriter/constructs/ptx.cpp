#include "constructs/ptx.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "constructs/ptx_predicates.h"
#include "constructs/ptx_text.h"

namespace cui::constructs {
namespace {

using format::Kind;
using format::Space;
using Parts = std::vector<std::string_view>;

enum class Treatment { plain, copy, bulk, fill, matrix, none, skipped, hidden };

struct Row {
  std::string_view operation, modifier;
  Treatment treatment;
  const char* reason;
};
constexpr Row rows[] = {
#define CUI_PTX(operation, modifier, treatment, reason) {operation, modifier, Treatment::treatment, reason},
#include "constructs/ptx_instructions.def"
};
constexpr Row unknown{"", "", Treatment::skipped, "an instruction that is not understood"};

const Row& find(const Parts& parts) {
  for (const Row& row : rows)
    if (row.operation == parts[0] && (row.modifier.empty() || has(parts, row.modifier))) return row;
  return unknown;
}

constexpr char computed[] = "its address is computed in the assembly";

/// Bytes of `f32`, `b128`; 0 if it is no such type.
unsigned bytesOfType(std::string_view type) {
  if (type.size() < 2 || std::string_view("bsuf").find(type.front()) == std::string_view::npos) return 0;
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(type.data() + 1, type.data() + type.size(), bits);
  return error == std::errc() && end == type.data() + type.size() ? bits / 8 : 0;
}

/// Types whose names do not end with their bits.
constexpr std::pair<std::string_view, unsigned> otherTypes[] = {{"bf16", 2},   {"f16x2", 4},  {"bf16x2", 4},
                                                                {"e4m3", 1},   {"e5m2", 1},   {"e4m3x2", 2},
                                                                {"e5m2x2", 2}, {"e4m3x4", 4}, {"e5m2x4", 4}};

/// Bytes that a thread moves: those of the last type, times the vector's length.
unsigned bytesOf(const Parts& parts) {
  unsigned bytes = 0, lanes = 1;
  for (const std::string_view part : parts) {
    if (part == "v2" || part == "v4" || part == "v8") lanes = static_cast<unsigned>(part[1] - '0');
    if (const unsigned size = bytesOfType(part)) bytes = size;
    for (const auto& [type, size] : otherTypes)
      if (part == type) bytes = size;
  }
  return bytes * lanes;
}

Space spaceOf(const Parts& parts, std::string& reason) {
  for (const std::string_view part : parts) {
    if (part == "global") return Space::global;
    if (part == "shared" || part == "shared::cta") return Space::shared;
    if (part == "shared::cluster") reason = "the shared memory of another block";
    if (part == "const") reason = "an address in the constant window";
  }
  return Space::generic;
}

bool readNumber(std::string_view text, unsigned& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// `%3`
bool readOperand(std::string_view text, unsigned& operand) {
  return !text.empty() && text.front() == '%' && readNumber(text.substr(1), operand);
}

/// `%3`, `%3+16`, `%3 + -8`: false for registers and variables of the assembly's own.
bool readAddress(std::string_view text, PtxAccess& access) {
  text = trimmed(text);
  const std::size_t plus = std::min(text.find('+'), text.size());
  if (!readOperand(trimmed(text.substr(0, plus)), access.operand)) return false;
  if (plus == text.size()) return true;
  text = trimmed(text.substr(plus + 1));
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text = trimmed(text.substr(1));
  long offset = 0;
  const bool hex = text.substr(0, 2) == "0x";
  if (hex) text.remove_prefix(2);
  const auto [last, wrong] = std::from_chars(text.data(), text.data() + text.size(), offset, hex ? 16 : 10);
  if (wrong != std::errc() || last != text.data() + text.size()) return false;
  access.offset = negative ? -offset : offset;
  return true;
}

void add(PtxAccess access, std::string reason, std::vector<PtxAccess>& result) {
  if (access.reason.empty()) access.reason = std::move(reason);
  result.push_back(std::move(access));
}

void addPlain(PtxAccess access, const PtxInstruction& instruction, std::vector<PtxAccess>& result) {
  const Parts& parts = instruction.parts;
  if (has(parts, "param") || has(parts, "local")) return;  // no memory that others see
  const std::string_view operation = parts[0] == "multimem" && parts.size() > 1 ? parts[1] : parts[0];
  access.kind = operation.starts_with("ld")                                ? Kind::load
                : operation == "st" || operation == "clusterlaunchcontrol" ? Kind::store
                                                                           : Kind::atomic;
  std::string reason;
  access.space = spaceOf(parts, reason);
  access.bytes = bytesOf(parts);
  if (reason.empty() && !readAddress(instruction.addresses[0], access)) reason = computed;
  if (reason.empty() && access.bytes == 0) reason = "its type is not understood";
  add(std::move(access), std::move(reason), result);
}

/// ldmatrix and stmatrix: 8 rows of 16 bytes for each matrix, the address of each from a lane of its own.
void addMatrix(PtxAccess access, const PtxInstruction& instruction, std::vector<PtxAccess>& result) {
  const Parts& parts = instruction.parts;
  access.kind = parts[0] == "ldmatrix" ? Kind::load : Kind::store;
  access.bytes = 16;
  access.lanes = has(parts, "x1") ? 8 : has(parts, "x2") ? 16 : has(parts, "x4") ? 32 : 0;
  std::string reason;
  access.space = spaceOf(parts, reason);
  if (access.lanes == 0 || !has(parts, "m8n8") || !has(parts, "b16"))
    reason = "a matrix of a shape that is not understood";
  if (reason.empty() && !readAddress(instruction.addresses[0], access)) reason = computed;
  if (reason.empty() && !access.condition.empty()) reason = "a predicated matrix";
  add(std::move(access), std::move(reason), result);
}

/// What of `[to], [from], 16, fewer` is read: `fewer` is a number of bytes, or a predicate that leaves all of
/// them out.
std::string readFewer(std::string_view fewer, const PtxPredicates& predicates, PtxAccess& access) {
  unsigned number = 0;
  if (readOperand(fewer, number)) {
    access.size = fewer;
    access.bytes = 0;
    return "";
  }
  if (readNumber(fewer, access.bytes)) return "";
  const std::string ignored = predicates.condition(fewer);
  if (ignored.empty()) return "it may read fewer bytes than it copies";
  access.condition += (access.condition.empty() ? "!(" : " && !(") + ignored + ")";
  return "";
}

/// cp.async.ca.shared.global [to], [from], 16 {, fewer} {, cache policy}: both sides.
void addCopy(const PtxAccess& common, const PtxInstruction& instruction, const PtxPredicates& predicates,
             std::vector<PtxAccess>& result) {
  const std::vector<std::string_view>& operands = instruction.operands;
  const std::size_t all = operands.size() - (has(instruction.parts, "L2::cache_hint") ? 1 : 0);
  for (std::size_t side = 0; side < 2; ++side) {
    PtxAccess access = common;
    access.kind = side == 0 ? Kind::store : Kind::load;
    access.space = side == 0 ? Space::shared : Space::global;
    std::string reason;
    if (instruction.addresses.size() < 2 || operands.size() < 3 ||
        !readAddress(instruction.addresses[side], access)) {
      reason = computed;
    } else {
      access.sizeIsOperand = readOperand(operands[2], access.bytesOperand);
      if (!access.sizeIsOperand && !readNumber(operands[2], access.bytes))
        reason = "its size is not understood";
      if (side == 1 && all > 3) {
        if (operands[3] == "0") continue;  // zeros only
        if (reason.empty()) reason = readFewer(operands[3], predicates, access);
      }
    }
    add(std::move(access), std::move(reason), result);
  }
}

/// cp.async.bulk.shared::cluster.global.… [to], [from], bytes, …: one thread copies a block, or adds it to
/// what is there (cp.reduce.async.bulk).
void addBulk(const PtxAccess& common, const PtxInstruction& instruction, std::vector<PtxAccess>& result) {
  const Parts& parts = instruction.parts;
  std::vector<std::string_view> spaces;
  for (const std::string_view part : parts)
    if (part == "global" || part.substr(0, 6) == "shared") spaces.push_back(part);
  for (std::size_t side = 0; side < 2; ++side) {
    PtxAccess access = common;
    access.kind = side == 1 ? Kind::load : has(parts, "reduce") ? Kind::atomic : Kind::store;
    std::string reason;
    unsigned ignored = 0;
    if (spaces.size() != 2 || instruction.addresses.size() < 2 || instruction.operands.size() < 3) {
      reason = unknown.reason;
    } else if (spaces[0] == "shared::cluster" && spaces[1] == "shared::cta") {
      reason = "to the shared memory of another block";
    } else if (side == 0 && has(parts, "multicast::cluster")) {
      reason = "to the shared memory of several blocks";
    } else {
      access.space = spaces[side] == "global" ? Space::global : Space::shared;
      access.size = instruction.operands[2];
      if (!readAddress(instruction.addresses[side], access)) reason = computed;
      if (!readOperand(access.size, ignored) && !readNumber(access.size, ignored))
        reason = "its size is computed in the assembly";
    }
    add(std::move(access), std::move(reason), result);
  }
}

/// st.bulk.weak.shared::cta [to], bytes, 0
void addFill(PtxAccess access, const PtxInstruction& instruction, std::vector<PtxAccess>& result) {
  access.kind = Kind::store;
  std::string reason;
  unsigned ignored = 0;
  access.space = spaceOf(instruction.parts, reason);
  if (instruction.operands.size() > 1) access.size = instruction.operands[1];
  if (reason.empty() && !readAddress(instruction.addresses[0], access)) reason = computed;
  if (reason.empty() && !readOperand(access.size, ignored) && !readNumber(access.size, ignored))
    reason = "its size is computed in the assembly";
  add(std::move(access), std::move(reason), result);
}

void addInstruction(const PtxInstruction& instruction, const PtxPredicates& predicates, bool branches,
                    std::vector<PtxAccess>& result) {
  const Row& row = find(instruction.parts);
  if (row.treatment == Treatment::none || instruction.parts[0].empty())
    return;  // the latter: `.reg`, `.shared`
  if (row.treatment != Treatment::hidden && instruction.addresses.empty()) return;
  PtxAccess access;
  access.instruction = std::string(instruction.name);
  if (branches) access.reason = "the assembly has branches";
  if (!instruction.guard.empty()) {
    access.condition = predicates.condition(instruction.guard);
    if (access.condition.empty()) access.reason = "its predicate is computed in the assembly";
  }
  switch (row.treatment) {
    case Treatment::plain:
      return addPlain(std::move(access), instruction, result);
    case Treatment::copy:
      return addCopy(access, instruction, predicates, result);
    case Treatment::bulk:
      return addBulk(access, instruction, result);
    case Treatment::fill:
      return addFill(std::move(access), instruction, result);
    case Treatment::matrix:
      return addMatrix(std::move(access), instruction, result);
    case Treatment::none:
    case Treatment::skipped:
    case Treatment::hidden:
      access.reason = row.reason;
      result.push_back(std::move(access));
  }
}

/// Other instructions after it are not executed by all threads.
bool leaves(const PtxInstruction& instruction) {
  return instruction.parts[0] == "bra" || instruction.parts[0] == "ret" || instruction.parts[0] == "exit";
}

}  // namespace

std::vector<PtxAccess> memoryInstructions(std::string_view assembly) {
  const std::string text = withoutComments(assembly);
  std::vector<PtxInstruction> instructions;
  bool branches = false;
  for (std::string_view piece : split(text, ';')) {
    // Block braces open and close scopes; those of a vector operand follow an instruction's name.
    piece = trimmed(piece);
    while (!piece.empty() && (piece.front() == '{' || piece.front() == '}')) piece = trimmed(piece.substr(1));
    const std::size_t colon = piece.find(':');
    if (colon != piece.npos && colon == piece.find_first_of(" \t\n.:[")) {
      branches = true;  // a label
      piece = trimmed(piece.substr(colon + 1));
    }
    instructions.push_back(readInstruction(piece));
    branches |= leaves(instructions.back());
  }
  std::vector<PtxAccess> result;
  PtxPredicates predicates;
  for (const PtxInstruction& instruction : instructions) {
    addInstruction(instruction, predicates, branches, result);
    predicates.follow(instruction);
  }
  return result;
}

}  // namespace cui::constructs
