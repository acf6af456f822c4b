#include "type.h"

#include <iterator>

namespace cui::cpu::ptx {
namespace {

struct TypeRow {
  std::string_view name;
  unsigned bits;
  Family family;
};
constexpr TypeRow typeRows[] = {
    {"", 0, Family::none},
#define CUI_PTX_TYPE(name, bits, family) {#name, bits, Family::family},
#include "types.def"
};

}  // namespace

unsigned bitsOf(Type type) {
  return typeRows[static_cast<std::size_t>(type)].bits;
}

Family familyOf(Type type) {
  return typeRows[static_cast<std::size_t>(type)].family;
}

Type typeNamed(std::string_view name) {
  for (std::size_t i = 1; i < std::size(typeRows); ++i)
    if (typeRows[i].name == name) return static_cast<Type>(i);
  return Type::none;
}

}  // namespace cui::cpu::ptx
