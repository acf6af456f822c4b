// Stores and loads whose object no reference can name: bit fields and members of packed structures, recorded
// through the structure around them, what lies within such members, and what a constructor's initialisers
// store.
#pragma once

#include <cstddef>

namespace cui {

/// Records `bytes` bytes at `offset` of `object`; returns it unchanged.
template <class UnitState, class T>
CUI_HD constexpr T& cuiField(UnitState& unit, unsigned site, std::size_t bytes, std::size_t offset,
                             T& object) {
  if (!__builtin_is_constant_evaluated()) {
    if (CUI_RECORDS(T))
      backend::recordAccess(unit, site,
                            static_cast<const volatile char*>(backend::addressOf(object)) + offset, bytes);
  }
  return object;
}

/// The same of `*pointer`; returns the pointer.
template <class UnitState, class T>
CUI_HD constexpr T* cuiArrowField(UnitState& unit, unsigned site, std::size_t bytes, std::size_t offset,
                                  T* pointer) {
  if (!__builtin_is_constant_evaluated()) {
    if (CUI_RECORDS(T))
      backend::recordAccess(unit, site, reinterpret_cast<const volatile char*>(pointer) + offset, bytes);
  }
  return pointer;
}

/// The same of what a handle's own `->` yields, which is called here: by whoever may call it.
CUI_ANY_SIDE
template <class UnitState, class Handle>
CUI_HD constexpr auto cuiArrowField(UnitState& unit, unsigned site, std::size_t bytes, std::size_t offset,
                                    Handle&& handle) -> decltype(handle.operator->()) {
  return cuiArrowField(unit, site, bytes, offset, handle.operator->());
}

/// Records a T that begins with that byte, at an address that a T may not be at.
template <class T, class UnitState>
CUI_HD constexpr void cuiMisplaced(UnitState& unit, unsigned site, const volatile char& first) {
  if (CUI_RECORDS(T)) backend::recordAccess(unit, site, &first, sizeof(T));
}
template <class T>
struct Unreferenced;
template <class T>
struct Unreferenced<T&> {
  using CuiType = T;
};
#if !defined(CUI_BACKEND_CUDA)
/// What GCC packs in a packed structure.
template <class T>
struct IsPlain {
  static constexpr bool cuiValue = __is_pod(T);
};
/// GCC takes a comma's right operand for no packed object where `+=` changes it, but a member of this for
/// one. Of other classes it would warn.
template <class T, bool = IsPlain<T>::cuiValue>
struct Packed {
  T cuiObject;
};
template <class T>
struct __attribute__((packed, may_alias)) Packed<T, true> {
  T cuiObject;
};
template <class T, class UnitState>
Packed<T>& cuiPacked(UnitState& unit, unsigned site, const volatile char& first) {
  cuiMisplaced<T>(unit, site, first);
  return reinterpret_cast<Packed<T>&>(const_cast<char&>(first));
}
#endif

/// Where a member is, that has an address in some of a template's instances and is a bit field in others.
struct FieldAt {
  const volatile void* address;
  std::size_t bytes;
};
/// A class, which depends on the object's for whoever asks.
template <class Class, class Object>
struct ClassFor {
  using CuiType = Class;
};
CUI_ANY_SIDE
template <class T, class Find>
CUI_HD constexpr auto cuiFieldAt(T& object, Find find, FieldAt, int) -> decltype(find(object)) {
  return find(object);
}
template <class T, class Find>
CUI_HD constexpr FieldAt cuiFieldAt(T&, Find, FieldAt bitField, long) {
  return bitField;
}

/// As cuiField() where `find` cannot be called: of a bit field.
CUI_ANY_SIDE
template <class UnitState, class Find, class T>
CUI_HD constexpr T& cuiAnyField(UnitState& unit, unsigned site, std::size_t bytes, std::size_t offset,
                                Find find, T& object) {
  if (!__builtin_is_constant_evaluated()) {
    if (CUI_RECORDS(T)) {
      const FieldAt at = cuiFieldAt(
          object, find, {static_cast<const volatile char*>(backend::addressOf(object)) + offset, bytes}, 0);
      backend::recordAccess(unit, site, at.address, at.bytes);
    }
  }
  return object;
}
CUI_ANY_SIDE
template <class UnitState, class Find, class T>
CUI_HD constexpr T* cuiAnyArrowField(UnitState& unit, unsigned site, std::size_t bytes, std::size_t offset,
                                     Find find, T* pointer) {
  cuiAnyField(unit, site, bytes, offset, find, *pointer);
  return pointer;
}
CUI_ANY_SIDE
template <class UnitState, class Find, class Handle>
CUI_HD constexpr auto cuiAnyArrowField(UnitState& unit, unsigned site, std::size_t bytes, std::size_t offset,
                                       Find find, Handle&& handle) -> decltype(handle.operator->()) {
  return cuiAnyArrowField(unit, site, bytes, offset, find, handle.operator->());
}

/// As cuiField() of a member of a virtual base class, at `offset` in there: where that is only the object
/// tells. A cast as C has it may see what is private.
template <class Base, class UnitState, class T>
CUI_HD constexpr T& cuiBaseField(UnitState& unit, unsigned site, std::size_t bytes, std::size_t offset,
                                 T& object) {
  if (!__builtin_is_constant_evaluated()) {
    if (CUI_RECORDS(T))
      backend::recordAccess(
          unit, site,
          static_cast<const volatile char*>(backend::addressOf((const volatile Base&)object)) + offset,
          bytes);
  }
  return object;
}
template <class Base, class UnitState, class T>
CUI_HD constexpr T* cuiArrowBaseField(UnitState& unit, unsigned site, std::size_t bytes, std::size_t offset,
                                      T* pointer) {
  cuiBaseField<Base>(unit, site, bytes, offset, *pointer);
  return pointer;
}
CUI_ANY_SIDE
template <class Base, class UnitState, class Handle>
CUI_HD constexpr auto cuiArrowBaseField(UnitState& unit, unsigned site, std::size_t bytes, std::size_t offset,
                                        Handle&& handle) -> decltype(handle.operator->()) {
  return cuiArrowBaseField<Base>(unit, site, bytes, offset, handle.operator->());
}

}  // namespace cui

#define CUI_FIELD(site, bytes, offset, ...) \
  ::cui::cuiField(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_ARROW_FIELD(site, bytes, offset, ...) \
  ::cui::cuiArrowField(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_MACRO_FIELD(site, bytes, offset, ...) \
  ::cui::cuiField(::cui::unitState, CUI_SITE_OF_LINE(site), bytes, offset, (__VA_ARGS__))
#define CUI_MACRO_ARROW_FIELD(site, bytes, offset, ...) \
  ::cui::cuiArrowField(::cui::unitState, CUI_SITE_OF_LINE(site), bytes, offset, (__VA_ARGS__))

// What lies within a packed member; in parentheses is a copy of it, without the forms. Through a reference to
// it a compiler would access what is aligned.
#define CUI_PACKED_TYPE(...) typename ::cui::Unreferenced<decltype((__VA_ARGS__))>::CuiType
#if !defined(CUI_BACKEND_CUDA)
#define CUI_PACKED(site, place, ...)                                                            \
  (::cui::cuiPacked<CUI_PACKED_TYPE place>(::cui::unitState, site,                              \
                                           reinterpret_cast<const volatile char&>(__VA_ARGS__)) \
       .cuiObject)
#elif defined(__CUDA_ARCH__)
// The copy accesses; the text, which comes first, records what is read on the way there.
#define CUI_PACKED(site, place, ...)                                                                      \
  (__builtin_is_constant_evaluated()                                                                      \
       ? (void)(0)                                                                                        \
       : ::cui::cuiMisplaced<CUI_PACKED_TYPE place>(::cui::unitState, site,                               \
                                                    reinterpret_cast<const volatile char&>(__VA_ARGS__)), \
   CUI_FIELD_NAME place)
#else
#define CUI_PACKED(site, place, ...) (__VA_ARGS__)
#endif
#define CUI_MACRO_PACKED(site, place, ...) CUI_PACKED(CUI_SITE_OF_LINE(site), place, __VA_ARGS__)

// The member's name is in parentheses.
#define CUI_ANY_FIELD(site, bytes, offset, name, ...)                                            \
  ::cui::cuiAnyField(::cui::unitState, site, bytes, offset, CUI_FIND_FIELD(CUI_FIELD_NAME name), \
                     (__VA_ARGS__))
#define CUI_ANY_ARROW_FIELD(site, bytes, offset, name, ...)                                           \
  ::cui::cuiAnyArrowField(::cui::unitState, site, bytes, offset, CUI_FIND_FIELD(CUI_FIELD_NAME name), \
                          (__VA_ARGS__))
#define CUI_ANY_THIS_FIELD(site, bytes, offset, name, ...) \
  CUI_ANY_ARROW_FIELD(site, bytes, offset, name, this)->__VA_ARGS__
#define CUI_FIELD_NAME(...) __VA_ARGS__  // which may have commas
// Only of what has a size, so no bit field. Its address is not taken as such, because compilers warn of
// packed members' addresses.
#define CUI_FIND_FIELD(name)                                                                   \
  [](auto& cuiObject) -> decltype(::cui::FieldAt{nullptr, sizeof(cuiObject.name)}) {           \
    return {::cui::backend::addressOf(reinterpret_cast<const volatile char&>(cuiObject.name)), \
            sizeof(cuiObject.name)};                                                           \
  }
// In front of the name: its class. nvcc asks at once whether a member of a class that it knows is a bit
// field.
#define CUI_CLASS(...) ::cui::ClassFor<__VA_ARGS__, decltype(cuiObject)>::CuiType::

// The virtual base class is in parentheses.
#define CUI_BASE_FIELD(site, bytes, offset, base, ...) \
  ::cui::cuiBaseField<CUI_FIELD_NAME base>(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_ARROW_BASE_FIELD(site, bytes, offset, base, ...) \
  ::cui::cuiArrowBaseField<CUI_FIELD_NAME base>(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_THIS_BASE_FIELD(site, bytes, offset, base, ...) \
  ::cui::cuiArrowBaseField<CUI_FIELD_NAME base>(::cui::unitState, site, bytes, offset, this)->__VA_ARGS__
#define CUI_MACRO_BASE_FIELD(site, bytes, offset, base, ...) \
  CUI_BASE_FIELD(CUI_SITE_OF_LINE(site), bytes, offset, base, __VA_ARGS__)
#define CUI_MACRO_ARROW_BASE_FIELD(site, bytes, offset, base, ...) \
  CUI_ARROW_BASE_FIELD(CUI_SITE_OF_LINE(site), bytes, offset, base, __VA_ARGS__)
#define CUI_MACRO_THIS_BASE_FIELD(site, bytes, offset, base, ...) \
  CUI_THIS_BASE_FIELD(CUI_SITE_OF_LINE(site), bytes, offset, base, __VA_ARGS__)

// A member named without its object, which is what `this` points to.
#define CUI_THIS_FIELD(site, bytes, offset, ...) \
  ::cui::cuiArrowField(::cui::unitState, site, bytes, offset, this)->__VA_ARGS__
#define CUI_MACRO_THIS_FIELD(site, bytes, offset, ...) \
  ::cui::cuiArrowField(::cui::unitState, CUI_SITE_OF_LINE(site), bytes, offset, this)->__VA_ARGS__

// The same where that member has a form of its own, which says where `this` is.
#define CUI_BESIDE_THIS(site, bytes, offset, ...) \
  ((void)(::cui::cuiArrowField(::cui::unitState, site, bytes, offset, this)), __VA_ARGS__)
#define CUI_MACRO_BESIDE_THIS(site, bytes, offset, ...) \
  CUI_BESIDE_THIS(CUI_SITE_OF_LINE(site), bytes, offset, __VA_ARGS__)

#define CUI_INITIALISED(site, ...) (void)(CUI_ACCESS(site, __VA_ARGS__))
#define CUI_MACRO_INITIALISED(site, ...) (void)(CUI_MACRO_ACCESS(site, __VA_ARGS__))
#define CUI_INITIALISED_FIELD(site, bytes, offset) (void)(CUI_ARROW_FIELD(site, bytes, offset, this))
#define CUI_MACRO_INITIALISED_FIELD(site, bytes, offset) \
  (void)(CUI_MACRO_ARROW_FIELD(site, bytes, offset, this))
