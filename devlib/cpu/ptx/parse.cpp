// From a template's text to a program: statements, scopes of `.reg`, names, operands.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>

#include "instructions.h"
#include "program.h"
#include "statements.h"

namespace cui::cpu::ptx {
namespace {

std::optional<Modifier> modifierNamed(std::string_view text) {
  static const std::map<std::string_view, Modifier> all{
#define CUI_PTX_MODIFIER(name, text) {text, Modifier::name},
#define CUI_PTX_SAME(name, text) {text, Modifier::name},
#include "modifiers.def"
  };
  const auto found = all.find(text);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Special> specialNamed(std::string_view text) {
  static const std::map<std::string_view, Special> all{
#define CUI_PTX_SPECIAL(name, text, ...) {text, Special::name},
#include "special_registers.def"
  };
  const auto found = all.find(text);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

/// `0f3f800000`, `0d…`, `0x1F`, `017`, `5U`, `1.5`.
std::optional<Operand> literal(std::string_view text) {
  Operand result;
  result.kind = Operand::Kind::immediate;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto whole = [&](std::from_chars_result parsed, const char* expected) {
    return parsed.ec == std::errc() && parsed.ptr == expected;
  };
  const char kind = text.size() > 2 && text[0] == '0' ? static_cast<char>(std::tolower(text[1])) : ' ';
  if (kind == 'f' || kind == 'd') {
    if (!whole(std::from_chars(begin + 2, end, result.bits, 16), end)) return std::nullopt;
    result.isReal = true;
    if (kind == 'd') return result;
    const auto narrow = static_cast<std::uint32_t>(result.bits);
    float value;
    std::memcpy(&value, &narrow, sizeof value);
    const double wide = value;
    std::memcpy(&result.bits, &wide, sizeof wide);
    return result;
  }
  if (kind != 'x' && text.find_first_of(".eE") != std::string_view::npos) {
    double value;
    if (!whole(std::from_chars(begin, end, value), end)) return std::nullopt;
    std::memcpy(&result.bits, &value, sizeof value);
    result.isReal = true;
    return result;
  }
  const char* const digits = end - (text.back() == 'U' ? 1 : 0);
  const int base = kind == 'x' ? 16 : kind == 'b' ? 2 : text.size() > 1 && text[0] == '0' ? 8 : 10;
  const char* const first = begin + (kind == 'x' || kind == 'b' ? 2 : 0);
  if (!whole(std::from_chars(first, digits, result.bits, base), digits)) return std::nullopt;
  return result;
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& constraints) : constraints_(constraints) {
    program_.slots = static_cast<unsigned>(constraints.size());
  }

  Program run(const char* text) {
    const std::vector<Statement> statements = statementsOf(text, !constraints_.empty());
    scopes_.emplace_back();
    for (const Statement& statement : statements) {
      if (!program_.problem.empty()) return std::move(program_);
      read(statement);
    }
    for (const auto& [number, operand, name] : jumps_) {
      const auto label = labels_.find(name);
      if (label == labels_.end()) {
        fail(program_.instructions[number].text, "no such label");
        break;
      }
      program_.instructions[number].operands[operand].bits = label->second;
    }
    return std::move(program_);
  }

 private:
  void fail(const std::string& what, const std::string& why) {
    if (!program_.problem.empty()) return;
    program_.problem = quoted(what) + (why.empty() ? "" : " (" + why + ")");
  }

  void read(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::open:
        scopes_.emplace_back();
        break;
      case Statement::Kind::close:
        if (scopes_.size() > 1) scopes_.pop_back();
        break;
      case Statement::Kind::label:
        labels_[statement.text] = program_.instructions.size();
        break;
      case Statement::Kind::directive:
        declare(statement.text);
        break;
      case Statement::Kind::instruction:
        instruct(statement.text);
        break;
    }
  }

  /// `.reg .b32 a, b<4>`: a name for each, all of 64 bits.
  void declare(const std::string& text) {
    if (text.rfind(".pragma", 0) == 0) return;
    const std::size_t type = text.find('.', 1);
    const std::size_t names = type == std::string::npos ? type : text.find_first_of(" \t\n", type);
    if (text.rfind(".reg", 0) != 0 || names == std::string::npos)
      return fail(text, "only registers can be declared");
    const Type of = typeNamed(text.substr(type + 1, names - type - 1));
    if (of == Type::none) return fail(text, "a register of this type");
    const auto fresh = [&] { return Register{program_.slots++, of == Type::pred}; };
    for (const std::string& name : split(std::string_view(text).substr(names))) {
      const std::size_t angle = name.find('<');
      if (angle == std::string::npos) {
        scopes_.back()[name] = fresh();
        continue;
      }
      unsigned count = 0;
      std::from_chars(name.data() + angle + 1, name.data() + name.size(), count);
      for (unsigned i = 0; i < count; ++i)
        scopes_.back()[name.substr(0, angle) + std::to_string(i)] = fresh();
    }
  }

  void instruct(const std::string& text) {
    Instruction instruction;
    instruction.text = text;
    std::string_view rest = text;
    if (rest.front() == '@') {
      rest.remove_prefix(1);
      const std::size_t end = std::min(rest.find_first_of(" \t\n"), rest.size());
      Operand predicate;
      if (!operand(rest.substr(0, end), predicate) || predicate.kind != Operand::Kind::slot)
        return fail(text, "its predicate");
      instruction.predicate = static_cast<std::int32_t>(predicate.slot);
      instruction.isPredicateNegated = predicate.isNegated;
      rest = trimmed(rest.substr(end));
    }
    const std::size_t end = std::min(rest.find_first_of(" \t\n"), rest.size());
    if (!name(rest.substr(0, end), instruction)) return;
    for (const std::string& one : split(rest.substr(end))) {
      Operand parsed;
      if (!operand(one, parsed)) return fail(text, one + " is not understood");
      if (parsed.kind == Operand::Kind::label)
        jumps_.push_back({program_.instructions.size(), instruction.operands.size(), one});
      instruction.operands.push_back(std::move(parsed));
    }
    program_.instructions.push_back(std::move(instruction));
  }

  /// `ld.global.v2.f32`
  bool name(std::string_view text, Instruction& instruction) {
    const Row* const row = find(text);
    if (row == nullptr) {
      fail(instruction.text, "");
      return false;
    }
    for (text.remove_prefix(row->operation.size()); !text.empty();) {
      text.remove_prefix(1);  // the dot
      const std::string_view word = text.substr(0, text.find('.'));
      text.remove_prefix(word.size());
      if (const Type type = typeNamed(word); type != Type::none) {
        instruction.types.push_back(type);
      } else if (const auto modifier = modifierNamed(word)) {
        instruction.modifiers.set(static_cast<std::size_t>(*modifier));
      } else {
        fail(instruction.text, "." + std::string(word));
        return false;
      }
    }
    instruction.execute = row->execute;
    if (!knowsTypes(*row, instruction)) fail(instruction.text, "");
    return program_.problem.empty();
  }

  bool list(std::string_view text, Operand& result, Operand::Kind kind, char separator) {
    result.kind = kind;
    for (const std::string& part : split(text, separator))
      if (!operand(part, result.parts.emplace_back())) return false;
    return true;
  }

  bool operand(std::string_view text, Operand& result) {
    text = trimmed(text);
    if (text.empty()) return false;
    const char first = text.front(), last = text.back();
    if (first == '[' && last == ']') return address(text.substr(1, text.size() - 2), result);
    if (first == '{' && last == '}')
      return list(text.substr(1, text.size() - 2), result, Operand::Kind::list, ',');
    if (text.find('|') != std::string_view::npos) return list(text, result, Operand::Kind::list, '|');
    if (first == '!' || first == '-') {
      if (!operand(text.substr(1), result)) return false;
      if (result.kind != Operand::Kind::immediate)
        result.isNegated = !result.isNegated;
      else if (result.isReal)
        result.bits ^= std::uint64_t{1} << 63;
      else
        result.bits = first == '-' ? std::uint64_t{0} - result.bits : std::uint64_t{result.bits == 0};
      return true;
    }
    if (text == "_") return true;
    if (first == operandMark) return number(text.substr(1), result);
    if (std::isdigit(static_cast<unsigned char>(first))) {
      const auto value = literal(text);
      if (value) result = *value;
      return value.has_value();
    }
    return named(std::string(text), result);
  }

  /// `a`, `a+16`, `a+-16`, `a-16`; without coordinates.
  bool address(std::string_view text, Operand& result) {
    std::string sum;
    for (const char c : text) {
      if (c == '-' && !sum.empty() && trimmed(sum).back() != '+') sum += '+';
      sum += c;
    }
    return text.find('{') == std::string_view::npos && list(sum, result, Operand::Kind::address, '+');
  }

  /// `3` of `%3`, `[name]` of `%[name]`.
  bool number(std::string_view text, Operand& result) {
    result.kind = Operand::Kind::slot;
    if (text.front() != '[') {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.slot);
      return error == std::errc() && end == text.data() + text.size() && result.slot < constraints_.size();
    }
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      if (constraints_[i].rfind(text, 0) != 0) continue;
      result.slot = static_cast<std::uint32_t>(i);
      return true;
    }
    return false;
  }

  bool named(const std::string& text, Operand& result) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(text);
      if (found == scope->end()) continue;
      result.kind = Operand::Kind::slot;
      result.slot = found->second.slot;
      result.isPredicate = found->second.isPredicate;
      return true;
    }
    if (text == "WARP_SZ") {
      result.kind = Operand::Kind::immediate;
      result.bits = 32;
    } else if (text.front() == '%') {
      const auto special = specialNamed(text);
      if (!special) return false;
      result.kind = Operand::Kind::special;
      result.special = *special;
    } else {
      result.kind = Operand::Kind::label;
    }
    return true;
  }

  struct Register {
    std::uint32_t slot;
    bool isPredicate;
  };
  struct Jump {
    std::size_t instruction, operand;
    std::string label;
  };
  const std::vector<std::string>& constraints_;
  Program program_;
  std::vector<std::map<std::string, Register>> scopes_;
  std::map<std::string, std::size_t> labels_;
  std::vector<Jump> jumps_;
};

}  // namespace

Program parse(const char* text, const std::vector<std::string>& constraints) {
  return Parser(constraints).run(text);
}

}  // namespace cui::cpu::ptx
