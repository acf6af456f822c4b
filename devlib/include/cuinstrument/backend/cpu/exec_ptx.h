// Inline assembly of device code: `asm volatile("…" : "=r"(x) : "r"(y) : "memory")` comes here as
//   CUI_PTX(asm volatile)("…" CUI_PTX_NEXT(:) CUI_PTX_OPERAND("=r")(x) CUI_PTX_NEXT(:) … CUI_PTX_NEXT(:)
//   "memory")
// which the macros below make a call with the template, its operands and what it changes besides. The library
// (devlib/cpu/ptx) reads the template once for each place in the source, and interprets it in every lane.
#pragma once
#pragma GCC system_header  // what it expands to stands in the user's file

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cui {
namespace backend {

/// One statement of inline assembly in the source (in one instantiation of its function).
struct PtxSite {
  const char* file;
  unsigned line;
  const void* program;  ///< what the library made of its template; null before the first run
};

/// An operand as the library sees it: a pattern of at most 64 bits, sign- or zero-extended.
struct PtxOperand {
  const char* constraint;  ///< `[name] "=r"`, as written
  void* target;            ///< null for inputs
  void (*assign)(void* target, std::uint64_t bits);
  std::uint64_t bits;
};

void runPtx(PtxSite& site, const char* text, const PtxOperand* operands, unsigned count);

/// The first letter that says where the operand lives, of `[name] "+r"`: r, l, h, f, d, n, …
constexpr char ptxLetter(const char* constraint) {
  while (*constraint != '"' && *constraint != '\0') ++constraint;
  while (*constraint == '"' || *constraint == '=' || *constraint == '+' || *constraint == '&') ++constraint;
  return *constraint;
}
/// '=', '+', or 0 for an input.
constexpr char ptxDirection(const char* constraint) {
  while (*constraint != '"' && *constraint != '\0') ++constraint;
  return *constraint == '"' && (constraint[1] == '=' || constraint[1] == '+') ? constraint[1] : '\0';
}

template <class T>
std::uint64_t ptxPattern(const T& value) {
  static_assert(sizeof(T) <= 8, "an operand of inline assembly has at most 8 bytes");
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
/// A number as the constraint's register holds it.
template <class T>
std::uint64_t ptxNumber(T value, char letter, std::true_type) {
  if (letter == 'f') return ptxPattern(static_cast<float>(value));
  if (letter == 'd') return ptxPattern(static_cast<double>(value));
  return std::is_floating_point<T>::value ? ptxPattern(value) : static_cast<std::uint64_t>(value);
}
template <class T>
std::uint64_t ptxNumber(T value, char, std::false_type) {
  return ptxPattern(value);  // pointers, enumerations, half
}
template <class T>
void ptxAssign(void* target, std::uint64_t bits) {
  __builtin_memcpy(target, &bits, sizeof(T));
}
template <>
inline void ptxAssign<bool>(void* target, std::uint64_t bits) {
  *static_cast<bool*>(target) = bits != 0;
}

/// The constraint of an operand; called with the operand.
struct PtxConstraint {
  const char* text;

  template <class T>
  PtxOperand operator()(T&& value) const {
    return make(value,
                std::integral_constant<bool, std::is_lvalue_reference<T>::value &&
                                                 !std::is_const<std::remove_reference_t<T>>::value &&
                                                 !std::is_array<std::remove_reference_t<T>>::value &&
                                                 !std::is_function<std::remove_reference_t<T>>::value>());
  }

 private:
  template <class T>
  PtxOperand make(T& value, std::true_type) const {
    using Value = std::remove_cv_t<T>;
    PtxOperand operand = {text, nullptr, nullptr, 0};
    const char direction = ptxDirection(text);
    if (direction != '\0') {
      operand.target = const_cast<Value*>(&value);
      operand.assign = &ptxAssign<Value>;
    }
    if (direction != '=') operand.bits = read(static_cast<Value>(value));
    return operand;
  }
  template <class T>
  PtxOperand make(T& value, std::false_type) const {
    return {text, nullptr, nullptr, read(static_cast<std::decay_t<T>>(value))};
  }
  template <class Value>
  std::uint64_t read(Value value) const {
    return ptxNumber(value, ptxLetter(text), std::is_arithmetic<Value>());
  }
};

/// The statement; called with the template, operands and names of what is changed besides.
class PtxStatement {
 public:
  explicit PtxStatement(PtxSite& site) : site_(site) {}

  template <class... Parts>
  void operator()(const char* text, const Parts&... parts) const {
    PtxOperand operands[sizeof...(Parts) + 1];
    unsigned count = 0;
    const int each[] = {0, (add(parts, operands, count), 0)...};
    (void)each;
    runPtx(site_, text, operands, count);
  }

 private:
  static void add(const PtxOperand& operand, PtxOperand* operands, unsigned& count) {
    operands[count++] = operand;
  }
  static void add(const char*, PtxOperand*, unsigned&) {}

  PtxSite& site_;
};

}  // namespace backend
}  // namespace cui

// Each place (and each instantiation of a template around it) has a lambda, and so a site, of its own.
#define CUI_PTX(...)                                                           \
  ::cui::backend::PtxStatement([]() -> ::cui::backend::PtxSite& {              \
    static ::cui::backend::PtxSite cuiPtxSite = {__FILE__, __LINE__, nullptr}; \
    return cuiPtxSite;                                                         \
  }())
#define CUI_PTX_OPERAND(...)      \
  ::cui::backend::PtxConstraint { \
    CUI_PTX_WRITTEN(__VA_ARGS__)  \
  }
/// Behind an operand that no comma follows.
#define CUI_PTX_NEXT_OPERAND(...) , CUI_PTX_OPERAND(__VA_ARGS__)
/// Constraints are often macros: `"l"` or `"r"`, whichever a pointer is.
#define CUI_PTX_WRITTEN(...) #__VA_ARGS__
#define CUI_PTX_NEXT(...) ,
#define CUI_PTX_END(...)
