#include "constructs/ptx.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace cui::constructs {
namespace {

using format::Kind;
using format::Space;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

bool has(const std::vector<std::string_view>& parts, std::string_view part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

std::string withoutComments(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == text.npos ? text.size() : end + 2;
      result += ' ';
    } else {
      result += text[i++];
    }
  }
  return result;
}

/// Bytes of `f32`, `b128`; 0 if it is no such type.
unsigned bytesOfType(std::string_view type) {
  if (type.size() < 2 || std::string_view("bsuf").find(type.front()) == std::string_view::npos) return 0;
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(type.data() + 1, type.data() + type.size(), bits);
  return error == std::errc() && end == type.data() + type.size() ? bits / 8 : 0;
}

/// Bytes that a thread moves: those of the last type, times the vector's length.
unsigned bytesOf(const std::vector<std::string_view>& parts) {
  unsigned bytes = 0, lanes = 1;
  for (const std::string_view part : parts) {
    if (part == "v2" || part == "v4" || part == "v8") lanes = static_cast<unsigned>(part[1] - '0');
    if (const unsigned size = bytesOfType(part)) bytes = size;
    if (part == "f16x2" || part == "bf16x2") bytes = 4;
    if (part == "bf16") bytes = 2;
  }
  return bytes * lanes;
}

Space spaceOf(const std::vector<std::string_view>& parts, std::string& reason) {
  for (const std::string_view part : parts) {
    if (part == "global") return Space::global;
    if (part == "shared" || part == "shared::cta") return Space::shared;
    if (part == "shared::cluster") reason = "the shared memory of another block";
    if (part == "const") reason = "an address in the constant window";
  }
  return Space::generic;
}

/// `%3`, `%3+16`, `%3 + -8`: false for registers and variables of the assembly's own.
bool readAddress(std::string_view text, PtxAccess& access) {
  text = trimmed(text);
  if (text.empty() || text.front() != '%') return false;
  text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), access.operand);
  if (error != std::errc()) return false;
  text = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  if (text.empty()) return true;
  if (text.front() != '+') return false;
  text = trimmed(text.substr(1));
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

/// The insides of the brackets of an instruction's operands.
std::vector<std::string_view> addressesOf(std::string_view operands) {
  std::vector<std::string_view> addresses;
  for (std::size_t open = operands.find('['); open != operands.npos; open = operands.find('[', open + 1)) {
    const std::size_t close = operands.find(']', open);
    if (close == operands.npos) break;
    addresses.push_back(operands.substr(open + 1, close - open - 1));
  }
  return addresses;
}

/// Instructions with an address that neither read nor write what is there, as far as a program can tell.
bool isNoAccess(std::string_view operation) {
  static constexpr std::array none{"prefetch", "prefetchu", "applypriority", "discard", "isspacep",
                                   "cvta",     "mapa",      "getctarank",    "call",    "createpolicy"};
  return std::find(none.begin(), none.end(), operation) != none.end();
}

void addPlain(PtxAccess access, const std::vector<std::string_view>& parts, std::string_view address,
              std::vector<PtxAccess>& result) {
  access.kind = parts[0] == "ld" || parts[0] == "ldu" ? Kind::load
                : parts[0] == "st"                    ? Kind::store
                                                      : Kind::atomic;
  std::string reason;
  access.space = spaceOf(parts, reason);
  access.bytes = bytesOf(parts);
  if (has(parts, "async")) reason = "an asynchronous store to another block";
  if (reason.empty() && !readAddress(address, access)) reason = "its address is computed in the assembly";
  if (reason.empty() && access.bytes == 0) reason = "its type is not understood";
  if (access.reason.empty()) access.reason = std::move(reason);
  result.push_back(std::move(access));
}

/// ldmatrix and stmatrix: 8 rows of 16 bytes for each matrix, the address of each from a lane of its own.
void addMatrices(PtxAccess access, const std::vector<std::string_view>& parts, std::string_view address,
                 std::vector<PtxAccess>& result) {
  access.kind = parts[0] == "ldmatrix" ? Kind::load : Kind::store;
  access.bytes = 16;
  access.lanes = has(parts, "x1") ? 8 : has(parts, "x2") ? 16 : has(parts, "x4") ? 32 : 0;
  std::string reason;
  access.space = spaceOf(parts, reason);
  if (access.lanes == 0 || !has(parts, "m8n8") || !has(parts, "b16"))
    reason = "a matrix of a shape that is not understood";
  if (reason.empty() && !readAddress(address, access)) reason = "its address is computed in the assembly";
  if (access.reason.empty()) access.reason = std::move(reason);
  result.push_back(std::move(access));
}

/// cp.async.ca.shared.global [to], [from], 16 {, bytes read}: both sides, unless fewer bytes may be read.
void addAsyncCopy(const PtxAccess& common, const std::vector<std::string_view>& parts,
                  std::string_view operands, std::vector<PtxAccess>& result) {
  const std::vector<std::string_view> addresses = addressesOf(operands);
  const std::vector<std::string_view> all = split(operands, ',');
  for (std::size_t side = 0; side < 2; ++side) {
    PtxAccess access = common;
    access.kind = side == 0 ? Kind::store : Kind::load;
    access.space = side == 0 ? Space::shared : Space::global;
    std::string reason;
    if (addresses.size() < 2 || all.size() < 3 || !readAddress(addresses[side], access)) {
      reason = "its address is computed in the assembly";
    } else {
      std::string_view size = trimmed(all[2]);
      const bool operand = !size.empty() && size.front() == '%';
      if (operand) size.remove_prefix(1);
      unsigned& number = operand ? access.bytesOperand : access.bytes;
      const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), number);
      if (error != std::errc() || end != size.data() + size.size()) reason = "its size is not understood";
      const std::size_t last = has(parts, "L2::cache_hint") ? 4 : 3;
      if (side == 1 && all.size() > last) reason = "it may read fewer bytes than it copies";
    }
    if (access.reason.empty()) access.reason = std::move(reason);
    result.push_back(std::move(access));
  }
}

void addInstruction(std::string_view text, bool branches, std::vector<PtxAccess>& result) {
  PtxAccess access;
  if (!text.empty() && text.front() == '@') {
    access.reason = "a predicated instruction";
    text = trimmed(text.substr(std::min(text.find_first_of(" \t\n"), text.size())));
  }
  const std::size_t end = std::min(text.find_first_of(" \t\n{[%"), text.size());
  access.instruction = std::string(text.substr(0, end));
  const std::string_view operands = text.substr(end);
  const std::vector<std::string_view> parts = split(text.substr(0, end), '.');
  const std::vector<std::string_view> addresses = addressesOf(operands);
  if (addresses.empty() || isNoAccess(parts[0])) return;
  if (branches && access.reason.empty()) access.reason = "the assembly has branches";

  const bool plain =
      parts[0] == "ld" || parts[0] == "ldu" || parts[0] == "st" || parts[0] == "atom" || parts[0] == "red";
  if (plain) {
    if (has(parts, "param") || has(parts, "local")) return;  // no memory that others see
    addPlain(std::move(access), parts, addresses[0], result);
  } else if (parts[0] == "cp" && parts.size() > 1 && parts[1] == "async" && !has(parts, "bulk") &&
             !has(parts, "mbarrier")) {
    addAsyncCopy(access, parts, operands, result);
  } else if (parts[0] == "ldmatrix" || parts[0] == "stmatrix") {
    addMatrices(std::move(access), parts, addresses[0], result);
  } else {
    access.reason = parts[0] == "cp"         ? "a bulk or tensor copy"
                    : parts[0] == "mbarrier" ? "a barrier object in shared memory"
                    : parts[0] == "wmma"     ? "a tile: many addresses in one instruction"
                    : parts[0] == "tex" || parts[0] == "tld4" || parts[0] == "suld" || parts[0] == "sust" ||
                            parts[0] == "sured"
                        ? "a texture or surface"
                        : "an instruction that is not understood";
    result.push_back(std::move(access));
  }
}

}  // namespace

std::vector<PtxAccess> memoryInstructions(std::string_view assembly) {
  const std::string text = withoutComments(assembly);
  std::vector<std::string_view> instructions;
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
    instructions.push_back(piece);
  }
  std::vector<PtxAccess> result;
  for (const std::string_view instruction : instructions) addInstruction(instruction, branches, result);
  return result;
}

}  // namespace cui::constructs
