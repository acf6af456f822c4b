#include "ptx_warp.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstddef>
#include <cstdlib>

namespace cui::cli {
namespace {

using Number = PtxWarp::Number;

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n;");
  return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin, end - begin + 1));
}

/// Parted by commas that are in no bracket.
std::vector<std::string> operandsIn(std::string_view text) {
  std::vector<std::string> operands;
  std::string operand;
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      operands.push_back(trimmed(operand));
      operand.clear();
    } else {
      operand += c;
    }
  }
  if (!trimmed(operand).empty()) operands.push_back(trimmed(operand));
  return operands;
}

Number numberIn(const std::string& text) {
  return static_cast<Number>(std::strtoll(text.c_str(), nullptr, 10));
}

bool has(const std::string& operation, std::string_view part) {
  return operation.find(part) != std::string::npos;
}
bool isWide(const std::string& operation) {
  return has(operation, ".s64") || has(operation, ".u64") || has(operation, ".b64");
}
Number word(Number value) {
  return value & 0xffffffffu;
}
std::int64_t asSigned(Number value, bool wide) {
  return wide ? static_cast<std::int64_t>(value) : static_cast<std::int32_t>(word(value));
}

bool compared(const std::string& operation, Number a, Number b) {
  const bool wide = isWide(operation);
  const auto order = [&](auto left, auto right) {
    if (has(operation, ".eq.")) return left == right;
    if (has(operation, ".ne.")) return left != right;
    if (has(operation, ".lt.")) return left < right;
    if (has(operation, ".gt.")) return left > right;
    return left >= right;  // .ge.
  };
  if (has(operation, ".u32") || has(operation, ".u64")) return order(wide ? a : word(a), wide ? b : word(b));
  return order(asSigned(a, wide), asSigned(b, wide));
}

std::uint32_t reversed(Number value) {
  std::uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit)
    if ((value >> bit & 1) != 0) result |= 0x80000000u >> bit;
  return result;
}

std::uint32_t permuted(Number a, Number b, Number selector) {
  const Number bytes = word(a) | word(b) << 32;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned from = selector >> (4 * i) & 7;
    result |= static_cast<std::uint32_t>(bytes >> (8 * from) & 0xff) << (8 * i);
  }
  return result;
}

}  // namespace

PtxWarp::PtxWarp(std::string_view text) {
  std::string function;
  bool calls = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (calls) {  // the function's name, and the names of its parameters
      if (function.empty()) function = line.substr(0, line.find(','));
      if (line != ")") continue;
      code_.push_back({"call " + function, "call", -1, false, {function}, {-1}, {0}, 0});
      calls = false;
    } else if (line.starts_with("call.uni")) {
      calls = true;
      function.clear();
    } else if (line.starts_with("$")) {
      labels_[line.substr(0, line.find(':'))] = code_.size();
    } else if (!line.empty() && line != "{" && line != "}" && line != ")" && !line.starts_with(".") &&
               !line.starts_with("//") && !line.starts_with("{ //") && !line.starts_with("} //")) {
      parse(line);
    }
  }
  for (Instruction& one : code_)
    if (one.operation.starts_with("bra")) one.target = labels_.at(one.operands[0]);
}

int PtxWarp::indexOf(const std::string& name) {
  const auto [found, isNew] = names_.emplace(name, static_cast<int>(registers_.size()));
  if (isNew) registers_.emplace_back();
  return found->second;
}

std::vector<std::string> PtxWarp::names() const {
  std::vector<std::string> all;
  all.reserve(names_.size());
  for (const auto& [name, index] : names_) all.push_back(name);
  return all;
}

void PtxWarp::parse(const std::string& line) {
  Instruction one;
  one.line = line;
  std::string rest = line;
  if (rest.starts_with("@")) {
    one.negated = rest[1] == '!';
    const std::size_t begin = one.negated ? 2 : 1, end = rest.find(' ');
    one.predicate = indexOf(rest.substr(begin, end - begin));
    rest = trimmed(rest.substr(end));
  }
  const std::size_t space = rest.find_first_of(" \t");
  one.operation = rest.substr(0, space);
  if (space != std::string::npos) one.operands = operandsIn(rest.substr(space));
  for (const std::string& operand : one.operands) {
    const bool isRegister = operand.starts_with("%") || operand.starts_with("!%");
    const std::string name = operand.substr(0, operand.find('|'));  // and whether there was such a lane
    const bool isSymbol = !isRegister && std::isalpha(static_cast<unsigned char>(operand[0])) != 0;
    if (isSymbol) symbols_.emplace(operand, 0x10000 * (1 + symbols_.size()));
    one.registers.push_back(isRegister ? indexOf(name.substr(name.find('%'))) : -1);
    one.numbers.push_back(isRegister ? 0 : isSymbol ? symbols_.at(operand) : numberIn(operand));
  }
  code_.push_back(one);
}

Number PtxWarp::valueOf(const Instruction& one, std::size_t operand, unsigned lane) const {
  const int index = one.registers[operand];
  if (index < 0) return one.numbers[operand];
  const Number value = registers_[static_cast<std::size_t>(index)][lane];
  return one.operands[operand][0] == '!' ? value ^ 1 : value;
}

/// Of `[%d1+160+32]`.
Number PtxWarp::addressIn(const std::string& operand, unsigned lane) {
  Number sum = 0;
  std::string rest = operand.substr(1, operand.size() - 2);
  while (!rest.empty()) {
    const std::size_t plus = rest.find('+');
    const std::string part = rest.substr(0, plus);
    sum += part[0] == '%' ? at(part, lane) : numberIn(part);
    rest = plus == std::string::npos ? std::string() : rest.substr(plus + 1);
  }
  return sum;
}

std::vector<std::string> PtxWarp::groupOf(const std::string& operand) const {
  return operandsIn(operand.substr(1, operand.size() - 2));
}

std::string PtxWarp::run(std::uint32_t lanes) {
  stored.clear();
  next_.fill(0);
  for (std::size_t steps = 0;; ++steps) {
    std::size_t first = code_.size();
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      if ((lanes >> lane & 1) != 0) first = std::min(first, next_[lane]);
    if (!unknown_.empty()) return "unknown: " + *unknown_.begin();
    if (first == code_.size()) return {};
    if (steps == 100000) return "does not end: " + code_[first].line;
    std::uint32_t group = 0;
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      if ((lanes >> lane & 1) != 0 && next_[lane] == first) group |= 1u << lane;
    const Instruction& one = code_[first];
    std::uint32_t does = 0;
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      if ((group >> lane & 1) == 0) continue;
      const bool all = one.predicate < 0;
      const bool set = !all && registers_[static_cast<std::size_t>(one.predicate)][lane] != 0;
      if (all || set != one.negated) does |= 1u << lane;
      next_[lane] = first + 1;
      if (one.operation.starts_with("bra") && (does >> lane & 1) != 0) next_[lane] = one.target;
    }
    if (std::string wrong = execute(one, does); !wrong.empty()) return wrong;
  }
}

std::string PtxWarp::execute(const Instruction& one, std::uint32_t group) {
  const std::string& operation = one.operation;
  if (operation.starts_with("bra") || group == 0) return {};
  if (operation == "call") {
    call(one.operands[0], group);
    return {};
  }
  if (has(operation, ".sync") || operation.starts_with("activemask")) return ask(one, group);
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if ((group >> lane & 1) != 0) compute(one, lane);
  return {};
}

std::string PtxWarp::ask(const Instruction& one, std::uint32_t group) {
  std::array<Number, warpLanes> results = {};
  const unsigned first = static_cast<unsigned>(std::countr_zero(group));
  if (!one.operation.starts_with("activemask")) {
    const std::uint32_t who = static_cast<std::uint32_t>(valueOf(one, one.operands.size() - 1, first));
    if (who != group) return "others are asked than come: " + one.line;
    ++asked[one.operation.substr(0, one.operation.find(".sync"))];
  }
  Number all = 1, any = 0, ballot = 0, together = 0, least = ~Number{0};
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    if ((group >> lane & 1) == 0) continue;
    const Number value = one.operands.size() > 1 ? valueOf(one, 1, lane) : 0;
    all &= value;
    any |= value;
    ballot |= (value & 1) << lane;
    together |= word(value);
    least = std::min(least, word(value));
  }
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    const std::string& operation = one.operation;
    if ((group >> lane & 1) == 0) continue;
    Number& result = results[lane];
    if (operation.starts_with("activemask"))
      result = group;
    else if (has(operation, "vote.sync.all"))
      result = all;
    else if (has(operation, "vote.sync.any"))
      result = any;
    else if (has(operation, "vote.sync.ballot"))
      result = ballot;
    else if (has(operation, "redux.sync.or"))
      result = together;
    else if (has(operation, "redux.sync.min"))
      result = least;
    else if (has(operation, "match.any")) {
      for (unsigned other = 0; other < warpLanes; ++other)
        if ((group >> other & 1) != 0 && word(valueOf(one, 1, other)) == word(valueOf(one, 1, lane)))
          result |= std::uint32_t{1} << other;
    } else if (has(operation, "shfl.sync")) {
      const auto operand = static_cast<unsigned>(valueOf(one, 2, lane));
      const unsigned from = has(operation, ".idx.")    ? operand & 31
                            : has(operation, ".bfly.") ? lane ^ operand
                            : lane < operand           ? lane  // .up.
                                                       : lane - operand;
      if ((group >> from & 1) == 0) return "a lane is asked that does not come: " + one.line;
      result = word(valueOf(one, 1, from));
    } else
      return "unknown: " + one.line;
  }
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if ((group >> lane & 1) != 0)
      registers_[static_cast<std::size_t>(one.registers[0])][lane] = results[lane];
  return {};
}

void PtxWarp::compute(const Instruction& one, unsigned lane) {
  const std::string& operation = one.operation;
  const auto value = [&](std::size_t operand) { return valueOf(one, operand, lane); };
  if (operation.starts_with("st.global")) {
    Number address = addressIn(one.operands[0], lane);
    const auto store = [&](Number what, bool wide) {
      stored[address] = static_cast<std::uint32_t>(what);
      if (wide) stored[address + 4] = static_cast<std::uint32_t>(what >> 32);
      address += wide ? 8 : 4;
    };
    if (one.operands[1][0] != '{') return store(value(1), isWide(operation));
    for (const std::string& part : groupOf(one.operands[1])) store(at(part, lane), isWide(operation));
    return;
  }
  if (operation == "red.global.add.u64") {
    added[addressIn(one.operands[0], lane)] += value(1);
    return;
  }
  if (operation.starts_with("st.local")) {
    local_[{lane, addressIn(one.operands[0], lane)}] = value(1);
    return;
  }
  if (operation.starts_with("st.param")) {
    const std::string& name = one.operands[0];
    at(name.substr(1, name.find('+') - 1), lane) = value(1);
    return;
  }
  if (operation == "mov.b64" && one.operands[0][0] == '{') {
    const auto halves = groupOf(one.operands[0]);
    const Number both = value(1);
    at(halves[0], lane) = word(both);
    at(halves[1], lane) = both >> 32;
    return;
  }
  Number& result = registers_[static_cast<std::size_t>(one.registers[0])][lane];
  const bool wide = isWide(operation);
  const auto set = [&](Number what) { result = wide || has(operation, ".wide") ? what : word(what); };
  if (operation == "mov.b64" && one.operands[1][0] == '{') {
    const auto halves = groupOf(one.operands[1]);
    result = word(at(halves[0], lane)) | at(halves[1], lane) << 32;
  } else if (operation.starts_with("ld.local")) {
    result = local_[{lane, addressIn(one.operands[1], lane)}];
  } else if (operation.starts_with("ld.param")) {
    result = at("retval0", lane);
  } else if (operation.starts_with("ld.const")) {
    const std::string& place = one.operands[1];
    result = constants.at(static_cast<unsigned>(numberIn(place.substr(place.find('+') + 1))));
  } else if (operation == "mov.pred") {
    result = value(1) & 1;
  } else if (operation.starts_with("mov.") || operation.starts_with("cvta.")) {
    set(value(1));
  } else if (operation.starts_with("cvt.")) {
    result = word(value(1));
  } else if (operation == "not.pred") {
    result = value(1) ^ 1;
  } else if (operation == "and.pred") {
    result = value(1) & value(2);
  } else if (operation.starts_with("setp.")) {
    const bool is = compared(operation, value(1), value(2));
    const bool other = one.operands.size() > 3 && value(3) != 0;
    result = has(operation, ".and.") ? is && other : has(operation, ".or.") ? is || other : is;
  } else if (operation.starts_with("selp.")) {
    set(value(3) != 0 ? value(1) : value(2));
  } else if (operation == "min.u32") {
    result = std::min(word(value(1)), word(value(2)));
  } else if (operation == "max.u32") {
    result = std::max(word(value(1)), word(value(2)));
  } else if (operation.starts_with("add.")) {
    set(value(1) + value(2));
  } else if (operation.starts_with("sub.")) {
    set(value(1) - value(2));
  } else if (operation.starts_with("and.")) {
    set(value(1) & value(2));
  } else if (operation.starts_with("or.")) {
    set(value(1) | value(2));
  } else if (operation.starts_with("xor.")) {
    set(value(1) ^ value(2));
  } else if (operation.starts_with("not.")) {
    set(~value(1));
  } else if (operation.starts_with("popc.")) {
    result = static_cast<Number>(std::popcount(word(value(1))));
  } else if (operation.starts_with("brev.")) {
    result = reversed(value(1));
  } else if (operation.starts_with("bfind.shiftamt.u32")) {
    result = word(value(1)) == 0
                 ? 0xffffffffu
                 : static_cast<Number>(std::countl_zero(static_cast<std::uint32_t>(value(1))));
  } else if (operation.starts_with("shl.")) {
    set(word(value(2)) > (wide ? 63 : 31) ? 0 : value(1) << word(value(2)));
  } else if (operation == "shr.u32") {
    set(word(value(2)) > 31 ? 0 : word(value(1)) >> word(value(2)));
  } else if (operation == "shr.s32") {
    set(static_cast<Number>(asSigned(value(1), false) >> std::min<Number>(word(value(2)), 31)));
  } else if (operation.starts_with("prmt.")) {
    result = permuted(value(1), value(2), value(3));
  } else if (operation.starts_with("mul.lo.") || operation.starts_with("mad.lo.")) {
    set(value(1) * value(2) + (one.operands.size() > 3 ? value(3) : 0));
  } else if (operation.starts_with("mul.wide.") || operation.starts_with("mad.wide.")) {
    const bool isSigned = has(operation, ".s32");
    const Number product = isSigned
                               ? static_cast<Number>(asSigned(value(1), false) * asSigned(value(2), false))
                               : word(value(1)) * word(value(2));
    result = product + (one.operands.size() > 3 ? value(3) : 0);
  } else {
    unknown_.insert(one.line);
  }
}

}  // namespace cui::cli
