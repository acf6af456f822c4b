// See value_types.h.
#include "db/store/value_types.h"

#include <algorithm>

namespace cui::db {

namespace {

struct NamedType {
  std::string_view name;
  ValueType type;
  std::uint32_t bytes;
};
constexpr NamedType namedTypes[] = {
    {"float", ValueType::real, 4},
    {"double", ValueType::real, 8},
    {"half", ValueType::half, 2},
    {"__half", ValueType::half, 2},
    {"__nv_bfloat16", ValueType::bfloat16, 2},
    {"nv_bfloat16", ValueType::bfloat16, 2},
    {"bool", ValueType::unsignedInteger, 1},
    {"char", ValueType::signedInteger, 1},
    {"signed char", ValueType::signedInteger, 1},
    {"short", ValueType::signedInteger, 2},
    {"short int", ValueType::signedInteger, 2},
    {"int", ValueType::signedInteger, 4},
    {"signed int", ValueType::signedInteger, 4},
    {"signed", ValueType::signedInteger, 4},
    {"long", ValueType::signedInteger, 8},
    {"long int", ValueType::signedInteger, 8},
    {"long long", ValueType::signedInteger, 8},
    {"long long int", ValueType::signedInteger, 8},
    {"int8_t", ValueType::signedInteger, 1},
    {"int16_t", ValueType::signedInteger, 2},
    {"int32_t", ValueType::signedInteger, 4},
    {"int64_t", ValueType::signedInteger, 8},
    {"ptrdiff_t", ValueType::signedInteger, 8},
    {"intptr_t", ValueType::signedInteger, 8},
    {"unsigned char", ValueType::unsignedInteger, 1},
    {"unsigned short", ValueType::unsignedInteger, 2},
    {"unsigned short int", ValueType::unsignedInteger, 2},
    {"unsigned int", ValueType::unsignedInteger, 4},
    {"unsigned long", ValueType::unsignedInteger, 8},
    {"unsigned long int", ValueType::unsignedInteger, 8},
    {"unsigned long long", ValueType::unsignedInteger, 8},
    {"unsigned long long int", ValueType::unsignedInteger, 8},
    {"unsigned", ValueType::unsignedInteger, 4},
    {"uint8_t", ValueType::unsignedInteger, 1},
    {"uint16_t", ValueType::unsignedInteger, 2},
    {"uint32_t", ValueType::unsignedInteger, 4},
    {"uint64_t", ValueType::unsignedInteger, 8},
    {"size_t", ValueType::unsignedInteger, 8},
    {"uintptr_t", ValueType::unsignedInteger, 8},
    {"uchar", ValueType::unsignedInteger, 1},
    {"ushort", ValueType::unsignedInteger, 2},
    {"uint", ValueType::unsignedInteger, 4},
    {"ulong", ValueType::unsignedInteger, 8},
};

std::string_view unqualified(std::string_view type) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string_view word : {"const ", "volatile ", "std::", " "}) {
      if (type.starts_with(word)) {
        type.remove_prefix(word.size());
        changed = true;
      }
    }
    while (type.ends_with(' ')) type.remove_suffix(1);
  }
  return type;
}

/// Up to the first `separator` that is in no brackets; `rest` goes on behind it.
std::string_view takePart(std::string_view& rest, std::string_view separator) {
  std::size_t at = 0;
  int depth = 0;
  for (; at < rest.size(); ++at) {
    depth += (rest[at] == '<' || rest[at] == '(') - (rest[at] == '>' || rest[at] == ')');
    if (depth <= 0 && rest.substr(at).starts_with(separator)) break;
  }
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(std::min(rest.size(), at + separator.size()));
  return part;
}

}  // namespace

ValueTypes::ValueTypes(std::string_view type, std::string_view function, std::string_view templateContext) {
  while (!templateContext.empty()) {
    std::string_view instance = takePart(templateContext, " | ");
    std::string_view argument;
    std::string arguments;
    while (!instance.empty()) {
      const std::string_view item = takePart(instance, ", ");
      const std::size_t sign = item.find('=');
      if (sign == std::string_view::npos) continue;
      if (item.substr(0, sign) == unqualified(type)) argument = item.substr(sign + 1);
      arguments.append(arguments.empty() ? "" : ", ").append(item.substr(sign + 1));
    }
    if (!argument.empty()) add(argument, std::string(function) + "<" + arguments + ">");
  }
  if (!alternatives_.empty()) return;
  // Instantiations that spell the access's type differently: "double | int".
  while (!type.empty()) add(takePart(type, " | "), {});
}

void ValueTypes::add(std::string_view type, std::string kernel) {
  type = unqualified(type);
  const auto* const known = std::find_if(std::begin(namedTypes), std::end(namedTypes),
                                         [&](const NamedType& n) { return n.name == type; });
  Alternative added;
  if (known != std::end(namedTypes)) added = {known->type, known->bytes, {}};
  auto same = std::find_if(alternatives_.begin(), alternatives_.end(), [&](const Alternative& a) {
    return a.type == added.type && a.bytes == added.bytes;
  });
  if (same == alternatives_.end()) same = alternatives_.insert(same, std::move(added));
  if (!kernel.empty()) same->kernels.push_back(std::move(kernel));
}

ValueType ValueTypes::of(std::uint32_t bytes, std::string_view kernel) const {
  if (alternatives_.size() == 1) return alternatives_[0].type;
  ValueType fitting = ValueType::bytes;
  std::size_t count = 0;
  for (const Alternative& each : alternatives_) {
    if (std::find(each.kernels.begin(), each.kernels.end(), kernel) != each.kernels.end()) return each.type;
    if (each.bytes != bytes && each.bytes != 0) continue;  // 0: no type known here, of any size
    fitting = each.type;
    ++count;
  }
  return count == 1 ? fitting : ValueType::bytes;
}

}  // namespace cui::db
