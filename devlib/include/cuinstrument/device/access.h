// The access forms: functions that record an lvalue's address and give the lvalue back.
//
// A backend provides (backend/<name>/backend.h):
//   CUI_HD                 `__host__ __device__` or nothing
//   CUI_BACKEND_UNIT       definitions each unit needs; makes `cui::unitState` usable in device code
//   CUI_RECORDING          true in code that can record (device pass; CPU backend), else false
//   CUI_RECORDS(T, ...)    the same, for an access of objects of these types; CUI_RECORDING by default
//   cui::backend::recordAccess(unitState, site, const volatile void* address, bytes)
//   cui::backend::recordTogether<Asks>(unitState, Accessed...)        one to three, in that order
//   cui::backend::recordLoad(unitState, site, address, bytes)         as above, with the value there
//   cui::backend::recordStore(unitState, site, address, bytes, const void* value)
//   cui::backend::kernelEntry(unitState, kernelNumber)
//   cui::backend::sharedVariable(unitState, variableNumber, const volatile void* address, bytes)
//   CUI_LAUNCH, CUI_LAUNCH_OPEN, CUI_LAUNCH_CLOSE, CUI_GRID, CUI_BLOCK, CUI_SHARED_BYTES, CUI_STREAM,
//   CUI_NULL, CUI_DYNAMIC_SHARED, CUI_API's clock-free part (see device/api.h)
#pragma once

#include <cstddef>

#include "cuinstrument/device/accessed.h"

#if !defined(CUI_RECORDS)  // the CPU backend has its own
#define CUI_RECORDS(...) (CUI_RECORDING)
#endif

/// In front of a template for both sides that calls functions of whichever side its instances are used on.
#if defined(__NVCC__) && !defined(CUI_CPU_BACKEND)
#define CUI_ANY_SIDE _Pragma("nv_exec_check_disable")
#else
#define CUI_ANY_SIDE
#endif

namespace cui {

// What the macros below name is looked up after the user's own #defines, and programs do have macros called
// `load`, `access` or `value`: names that start with cui are safe.

/// {site in a macro body, line of the expansion, the site's number for that line}; of several on a line, also
/// the number of the argument that the site stands for
struct MacroSite {
  unsigned site, line, lineSite, argument = 0;
};

/// In place of a line's site: there the macro's text is no access.
#define CUI_NO_SITE 0xffffffffu

/// Site number of a macro-body access on `line`; `site` itself where the table has no entry.
template <std::size_t N>
CUI_HD constexpr unsigned macroSite(const MacroSite (&table)[N], unsigned site, unsigned line,
                                    unsigned argument) {
  unsigned other = site;
  for (std::size_t i = 0; i < N; ++i) {
    if (table[i].site != site) continue;
    if (table[i].line == line && table[i].argument == argument) return table[i].lineSite;
    if (table[i].line == 0) other = table[i].lineSite;  // of expansions that were not seen
  }
  return argument == 0 ? other : macroSite(table, site, line, 0);
}

/// The 7 of CUI_ARGUMENT(7, …), whose expanded text this is; 0 of other text.
CUI_HD constexpr unsigned argumentNumber(const char* text) {
  while (*text == '(' || *text == ' ') ++text;
  for (const char* start = "::cui::cuiArgument<"; *start != 0; ++start, ++text)
    if (*text != *start) return 0;
  unsigned number = 0;
  for (; *text >= '0' && *text <= '9'; ++text) number = number * 10 + static_cast<unsigned>(*text - '0');
  return number;
}

/// A macro's argument, which the forms in the macro's text know by its number. It does nothing.
template <unsigned Number, class T>
CUI_HD constexpr T& cuiArgument(T& argument) {
  return argument;
}

template <unsigned Site>
struct SiteNumber {
  static constexpr unsigned cuiNumber = Site;
};

/// Records `reference`'s address and size; returns it unchanged. Costs nothing in constant evaluation
/// and on the host side of a __host__ __device__ function.
template <class UnitState, class T>
CUI_HD constexpr T& cuiAccess(UnitState& unit, unsigned site, T& reference) {
  if (!__builtin_is_constant_evaluated()) {
    if (site != CUI_NO_SITE && CUI_RECORDS(T))
      backend::recordAccess(unit, site, backend::addressOf(reference), sizeof(T));
  }
  return reference;
}

/// What a value that goes through stands for: mostly nothing.
template <class T, class = void>
struct StandIn {
  template <class UnitState>
  static CUI_HD constexpr void cuiAccess(UnitState&, unsigned, T&) {}
};
/// An object of library code's, `thrust::device_reference<float>`, whose `&` is an object that holds a
/// pointer to the element.
template <class T>
struct StandIn<T, decltype(static_cast<void>(static_cast<const volatile typename T::value_type*>(
                      (&*static_cast<T*>(nullptr)).get())))> {
  CUI_ANY_SIDE
  template <class UnitState>
  static CUI_HD constexpr void cuiAccess(UnitState& unit, unsigned site, T& standIn) {
    if (!__builtin_is_constant_evaluated()) {
      if (site != CUI_NO_SITE && CUI_RECORDS(typename T::value_type))
        backend::recordAccess(unit, site, (&standIn).get(), sizeof(typename T::value_type));
    }
  }
};

/// What is an object in one instantiation of a template may be a value in another: it goes through, perhaps
/// by a constructor of the host's.
CUI_ANY_SIDE
template <class UnitState, class T>
CUI_HD constexpr T cuiAccess(UnitState& unit, unsigned site, T&& value) {
  StandIn<T>::cuiAccess(unit, site, value);
  return static_cast<T&&>(value);
}

/// What a reference_wrapper refers to, or an object stands for that has been kept; what has that place in
/// other instantiations of a template refers to nothing.
template <class T, class = void>
struct Referred {
  CUI_ANY_SIDE
  template <class UnitState>
  static CUI_HD constexpr void cuiAccess(UnitState& unit, unsigned site, T& standIn) {
    StandIn<T>::cuiAccess(unit, site, standIn);
  }
};
template <class T>
struct Referred<T, decltype(static_cast<void>(
                       static_cast<typename T::type&>((*static_cast<T*>(nullptr)).get())))> {
  CUI_ANY_SIDE
  template <class UnitState>
  static CUI_HD constexpr void cuiAccess(UnitState& unit, unsigned site, T& wrapper) {
    ::cui::cuiAccess(unit, site, wrapper.get());
  }
};
/// A reference_wrapper, which is converted to the reference that it holds: it goes through as it is.
template <class UnitState, class T>
CUI_HD constexpr T& cuiReferred(UnitState& unit, unsigned site, T& wrapper) {
  Referred<T>::cuiAccess(unit, site, wrapper);
  return wrapper;
}
CUI_ANY_SIDE
template <class UnitState, class T>
CUI_HD constexpr T cuiReferred(UnitState& unit, unsigned site, T&& wrapper) {
  Referred<T>::cuiAccess(unit, site, wrapper);
  return static_cast<T&&>(wrapper);
}

/// As cuiAccess(), with the value that is there.
template <class UnitState, class T>
CUI_HD constexpr T& cuiLoad(UnitState& unit, unsigned site, T& reference) {
  if (!__builtin_is_constant_evaluated()) {
    if (site != CUI_NO_SITE && CUI_RECORDS(T))
      backend::recordLoad(unit, site, backend::addressOf(reference), sizeof(T));
  }
  return reference;
}

/// What is assigned to a T, and what the assignment's result is: of a volatile T no reference, which a
/// statement of its own would drop with a warning.
template <class T>
struct Assigned {
  using CuiValue = T;
  using CuiResult = T&;
  static CUI_HD constexpr T& cuiResult(T& target, T) { return target; }
};
template <class T>
struct Assigned<volatile T> {
  using CuiValue = T;
  using CuiResult = T;
  static CUI_HD constexpr T cuiResult(volatile T&, T value) { return value; }
};

/// The left side of a plain assignment: records on assignment, with the value assigned.
template <class UnitState, class T>
class StoreTarget {
 public:
  CUI_HD constexpr StoreTarget(UnitState& unit, unsigned site, T& target)
      : unit_(unit), target_(target), site_(site) {}
  /// By value, which converts what is assigned as the plain assignment does: a bit field, a packed member, {}
  /// and a pointer's 0 cannot be bound, and scalars cost nothing.
  CUI_HD constexpr typename Assigned<T>::CuiResult operator=(typename Assigned<T>::CuiValue value) const {
    target_ = value;
    if (!__builtin_is_constant_evaluated()) {
      if (CUI_RECORDS(T)) backend::recordLoad(unit_, site_, backend::addressOf(target_), sizeof(T));
    }
    return Assigned<T>::cuiResult(target_, value);
  }

 private:
  UnitState& unit_;
  T& target_;
  unsigned site_;
};
template <class UnitState, class T>
CUI_HD constexpr StoreTarget<UnitState, T> cuiStore(UnitState& unit, unsigned site, T& target) {
  return StoreTarget<UnitState, T>(unit, site, target);
}

template <class UnitState, class T>
CUI_HD Accessed cuiAccessed(UnitState&, unsigned site, T& place) {
  return Accessed{site, static_cast<unsigned>(sizeof(T)), backend::addressOf(place)};
}

/// Records one to three places in their order, which the expression behind it will access. `Asks`: whether
/// anything is recorded now, which loop.h has asked before.
template <bool Asks = true, class UnitState, class A>
CUI_HD constexpr void cuiTogether(UnitState& unit, unsigned siteA, A& a) {
  if (!__builtin_is_constant_evaluated()) {
    if (CUI_RECORDS(A)) backend::recordTogether<Asks>(unit, cuiAccessed(unit, siteA, a));
  }
}
template <bool Asks = true, class UnitState, class A, class B>
CUI_HD constexpr void cuiTogether(UnitState& unit, unsigned siteA, A& a, unsigned siteB, B& b) {
  if (!__builtin_is_constant_evaluated()) {
    if (CUI_RECORDS(A, B))
      backend::recordTogether<Asks>(unit, cuiAccessed(unit, siteA, a), cuiAccessed(unit, siteB, b));
  }
}
template <bool Asks = true, class UnitState, class A, class B, class C>
CUI_HD constexpr void cuiTogether(UnitState& unit, unsigned siteA, A& a, unsigned siteB, B& b, unsigned siteC,
                                  C& c) {
  if (!__builtin_is_constant_evaluated()) {
    if (CUI_RECORDS(A, B, C))
      backend::recordTogether<Asks>(unit, cuiAccessed(unit, siteA, a), cuiAccessed(unit, siteB, b),
                                    cuiAccessed(unit, siteC, c));
  }
}

/// The pointer operand of an atomic or of a load/store intrinsic: recorded as an access of *pointer.
template <class UnitState, class T>
CUI_HD constexpr T* cuiPointer(UnitState& unit, unsigned site, T* target) {
  if (!__builtin_is_constant_evaluated()) {
    if (CUI_RECORDING)
      backend::recordAccess(unit, site, reinterpret_cast<const volatile void*>(target), sizeof(T));
  }
  return target;
}

// Programs have macros called `backend`.
using backend::kernelEntry;
using backend::sharedVariable;

}  // namespace cui

// Unused where all its sites are in templates that nothing instantiates.
#define CUI_MACRO_SITES(...)                                                                    \
  namespace cui {                                                                               \
  namespace {                                                                                   \
  __attribute__((unused)) CUI_HD constexpr unsigned unitMacroSite(unsigned site, unsigned line, \
                                                                  unsigned argument = 0) {      \
    constexpr ::cui::MacroSite table[] = {__VA_ARGS__};                                         \
    return ::cui::macroSite(table, site, line, argument);                                       \
  }                                                                                             \
  }                                                                                             \
  }
#define CUI_SITE_OF_LINE(site) (::cui::SiteNumber<::cui::unitMacroSite(site, __LINE__)>::cuiNumber)
#define CUI_SITE_OF_ARGUMENT(site, ...) \
  (::cui::SiteNumber<::cui::unitMacroSite(site, __LINE__, ::cui::argumentNumber(#__VA_ARGS__))>::cuiNumber)

/// A kernel's, launch's or variable's number, where a macro's text stands for several of them.
#define CUI_LINE(key) CUI_SITE_OF_LINE(key)

#define CUI_ACCESS(site, ...) ::cui::cuiAccess(::cui::unitState, site, (__VA_ARGS__))
#define CUI_COPIES(...) , __VA_ARGS__
#define CUI_TOGETHER(copies, ...) (::cui::cuiTogether(::cui::unitState CUI_COPIES copies), __VA_ARGS__)
#define CUI_LOAD(site, ...) ::cui::cuiLoad(::cui::unitState, site, (__VA_ARGS__))
#define CUI_STORE(site, ...) ::cui::cuiStore(::cui::unitState, site, (__VA_ARGS__))
#define CUI_POINTER(site, ...) ::cui::cuiPointer(::cui::unitState, site, (__VA_ARGS__))
#define CUI_ARGUMENT(number, ...) ::cui::cuiArgument<number>((__VA_ARGS__))
#define CUI_ARGUMENT_ACCESS(site, ...) CUI_ACCESS(CUI_SITE_OF_ARGUMENT(site, __VA_ARGS__), __VA_ARGS__)
#define CUI_ARGUMENT_LOAD(site, ...) CUI_LOAD(CUI_SITE_OF_ARGUMENT(site, __VA_ARGS__), __VA_ARGS__)
#define CUI_ARGUMENT_STORE(site, ...) CUI_STORE(CUI_SITE_OF_ARGUMENT(site, __VA_ARGS__), __VA_ARGS__)
#define CUI_MACRO_ACCESS(site, ...) ::cui::cuiAccess(::cui::unitState, CUI_SITE_OF_LINE(site), (__VA_ARGS__))
#define CUI_MACRO_LOAD(site, ...) ::cui::cuiLoad(::cui::unitState, CUI_SITE_OF_LINE(site), (__VA_ARGS__))
#define CUI_MACRO_STORE(site, ...) ::cui::cuiStore(::cui::unitState, CUI_SITE_OF_LINE(site), (__VA_ARGS__))
// A member of a template's argument, which must have an address: of a bit field that is const a reference
// would be bound to a copy. What nvcc refuses is left alone, and has a row; nobody asks again where there is
// no nvcc. On the host's side, where nothing is recorded, it is the text itself: GCC loses the `this` of
// `sizeof((*this)[i].x)` in a generic lambda of a class template.
#if defined(CUI_BACKEND_CUDA) && defined(__CUDA_ARCH__)
#define CUI_ADDRESSED(site, ...) ((void)(sizeof(__VA_ARGS__)), CUI_ACCESS(site, __VA_ARGS__))
#elif defined(CUI_BACKEND_CUDA)
#define CUI_ADDRESSED(site, ...) (__VA_ARGS__)
#else
#define CUI_ADDRESSED(site, ...) CUI_ACCESS(site, __VA_ARGS__)
#endif
#define CUI_MACRO_ADDRESSED(site, ...) CUI_ADDRESSED(CUI_SITE_OF_LINE(site), __VA_ARGS__)
// What is read through a pointer to another type where a constant might be computed: GCC takes such a cast
// there, but not in a call's argument, unless there is a way past the call.
#define CUI_PUNNED(site, ...) \
  (__builtin_is_constant_evaluated() ? (__VA_ARGS__) : CUI_ACCESS(site, __VA_ARGS__))
#define CUI_MACRO_PUNNED(site, ...) CUI_PUNNED(CUI_SITE_OF_LINE(site), __VA_ARGS__)
// What an object is converted to, a reference to the type in parentheses.
#define CUI_CONVERTED(site, type, ...) CUI_ACCESS(site, static_cast<CUI_CONVERTED_TYPE type&>(__VA_ARGS__))
#define CUI_MACRO_CONVERTED(site, type, ...) CUI_CONVERTED(CUI_SITE_OF_LINE(site), type, __VA_ARGS__)
#define CUI_CONVERTED_TYPE(...) __VA_ARGS__
// What a macro's text goes on to name (`A.x`) behind the cast that its argument begins with (`(T)p[i]`).
#define CUI_CAST(site, ...) ((decltype((__VA_ARGS__)))CUI_ACCESS(site, CUI_WITHOUT_CAST __VA_ARGS__))
#define CUI_MACRO_CAST(site, ...) CUI_CAST(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_WITHOUT_CAST(...)
#define CUI_REFERRED(site, ...) ::cui::cuiReferred(::cui::unitState, site, (__VA_ARGS__))
#define CUI_MACRO_REFERRED(site, ...) \
  ::cui::cuiReferred(::cui::unitState, CUI_SITE_OF_LINE(site), (__VA_ARGS__))
#define CUI_MACRO_POINTER(site, ...) \
  ::cui::cuiPointer(::cui::unitState, CUI_SITE_OF_LINE(site), (__VA_ARGS__))

#define CUI_KERNEL(number) ::cui::kernelEntry(::cui::unitState, number)
/// What the kernel's __cluster_dims__ says, where the backend must be told (exec_launch.h).
#ifndef CUI_CLUSTER
#define CUI_CLUSTER(...)
#endif
/// Says in PTX that the kernel's parameter with that number points to what nobody writes to meanwhile, of
/// which the compiler does not make use where addresses are handed to the recorder
/// (cli/compile/read_only_loads.h).
#if defined(CUI_BACKEND_CUDA) && defined(__CUDA_ARCH__)
#define CUI_READ_ONLY(number) asm volatile("// cuiReadOnly " #number)
#else
#define CUI_READ_ONLY(number) (void)(0)
#endif
#define CUI_SHARED(number, ...)                                                                         \
  ::cui::sharedVariable(::cui::unitState, number, &reinterpret_cast<const volatile char&>(__VA_ARGS__), \
                        sizeof(__VA_ARGS__))
#if !defined(CUI_SHARED_DYNAMIC)  // the CPU backend has its own
#define CUI_SHARED_DYNAMIC(number, ...) \
  ::cui::sharedVariable(::cui::unitState, number, reinterpret_cast<const volatile char*>(__VA_ARGS__), 0)
#endif
