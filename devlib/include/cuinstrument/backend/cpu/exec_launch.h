// Kernel launches on the CPU backend: what `k<<<grid, block, bytes, stream>>>(arguments)` turns into.
//
// The macros of backend.h make it  ((Launch << lambda calling k << Config(grid, block, …))(arguments)):
// one expression of type void, whose template commas, deduced template arguments and unbraced branches
// survive because nothing but the text around <<< and >>> changed.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "cuinstrument/backend/cpu/exec_log.h"
#include "cuinstrument/format/unit.h"

struct dim3;  // NOLINT(readability-identifier-naming): as CUDA calls it

extern "C" {
/// Ends the calling thread of a kernel: what is on its stack is forgotten.
void cuiEndThread(void);
/// Returns `to`, with the bytes of `from`.
void* cuiCopyBytes(void* to, const void* from, std::size_t bytes);
}

namespace cui {
namespace backend {

/// The row of a launch by a call, which tells the runtime nothing of it; unit null: none is under way.
struct CalledLaunch {
  const format::UnitTable* unit;
  unsigned entry;
};

/// Grid and block extents in threads, dynamic shared memory in bytes, and the stream's handle.
struct LaunchShape {
  unsigned grid[3];
  unsigned block[3];
  std::size_t sharedBytes;
  void* stream;
  bool cooperative;
  CalledLaunch named = {};   ///< the row that says which kernel it is, where the launch's own does not
  unsigned cluster[3] = {};  ///< in blocks; 0: the launch names none
};

/// Runs `thread(context)` once for every thread of the grid; returns when the grid has finished.
/// An impossible shape, a trap or a deadlock leaves an error code behind as CUDA would; nothing is thrown.
/// `unit` may be null for a launch the rewriter did not see.
void launch(const format::UnitTable* unit, unsigned launchEntry, const LaunchShape& shape,
            void (*thread)(void* context), void* context);

CalledLaunch& calledLaunch();

/// What is known of a kernel whose address the program turns into a void pointer: enough to call it.
struct KernelSignature {
  CalledLaunch place;  ///< the row of the place that took the address
  void (*call)(const void* kernel, void** arguments);
  std::size_t parameterCount;
  const std::size_t* parameterBytes;
};
void registerKernel(const void* kernel, const KernelSignature& signature);
/// Null for what no CUI_KERNEL_POINTER has seen.
const KernelSignature* findKernel(const void* kernel);

/// A class whose copies are made by code, of the program's perhaps. A launch copies a kernel's arguments
/// once, on the host, and its copies end there; a thread has their bits.
template <class T>
struct IsCopiedByCode : std::integral_constant<bool, std::is_class<T>::value &&
                                                         !(std::is_trivially_copy_constructible<T>::value &&
                                                           std::is_trivially_destructible<T>::value) &&
                                                         std::is_copy_constructible<T>::value> {};

/// An argument that the kernel takes by reference.
template <class T>
struct ByReference {
  T* object;
};

}  // namespace backend

// What CUI_LAUNCH_OPEN and CUI_LIST spell: names a program's own macros do not have.
template <class T>
using CuiParameter = T;
// NOLINTBEGIN(readability-redundant-typename): C++14 wants it.
/// What a thread hands its kernel for an argument: a parameter is a copy of that.
template <class T>
typename std::enable_if<!backend::IsCopiedByCode<T>::value, T&>::type cuiArgumentOf(T& value) {
  return value;
}
template <class T>
typename std::enable_if<backend::IsCopiedByCode<T>::value, typename std::remove_cv<T>::type>::type
cuiArgumentOf(T& value) {
#if defined(__x86_64__)
  // Such a class is returned in memory, whose address comes as a first argument, and it is that memory which
  // the parameter is made in: no constructor runs.
  using Object = typename std::remove_cv<T>::type;
  return reinterpret_cast<Object (*)(const void*, std::size_t)>(reinterpret_cast<void (*)()>(&cuiCopyBytes))(
      &value, sizeof value);
#else
  return value;
#endif
}
// NOLINTEND(readability-redundant-typename)
template <class T>
T& cuiArgumentOf(backend::ByReference<T>& argument) {
  return *argument.object;
}
template <class T>
backend::ByReference<T> cuiByReference(T& object) {
  return {std::addressof(object)};
}

/// Where parameters would end next, behind the call of a kernel in one expression with it.
template <class... T>
void cuiEndBeforeParameters(T&...) {
  const bool ends[] = {!std::is_trivially_destructible<T>::value..., false};
  for (const bool one : ends)
    if (one) cuiEndThread();
}

namespace backend {

/// What a call that launches is given a pointer to, for a parameter: its value, and for a reference the
/// object's address.
template <class Parameter>
struct KernelArgument {
  using Value = typename std::remove_cv<Parameter>::type;  // NOLINT(readability-redundant-typename): C++14
  static Value& of(void* argument) { return *static_cast<Value*>(argument); }
  static Value& from(Value& value) { return value; }
};
template <class T>
struct KernelArgument<T&> {
  using Value = T*;
  static ByReference<T> of(void* argument) { return {*static_cast<T**>(argument)}; }
  static T* from(T& object) { return std::addressof(object); }
};

template <class... Parameters>
class KernelCaller {
 public:
  static const std::size_t* bytes() {
    static const std::size_t sizes[] = {sizeof(typename KernelArgument<Parameters>::Value)..., 0};
    return sizes;
  }
  static void call(const void* kernel, void** arguments) {
    callWith(reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel)), arguments,
             std::index_sequence_for<Parameters...>());
  }

 private:
  template <std::size_t... I>
  static void callWith(void (*kernel)(Parameters...), void** arguments, std::index_sequence<I...>) {
    callWithThese(kernel, KernelArgument<Parameters>::of(arguments[I])...);
  }
  template <class... Arguments>
  static void callWithThese(void (*kernel)(Parameters...), Arguments&&... arguments) {
    kernel(cuiArgumentOf(arguments)...), cuiEndBeforeParameters(arguments...);
  }
};

/// A kernel's launch configuration from anything with x, y and z (dim3, uint3) or an integer.
struct Extent {
  unsigned x = 1, y = 1, z = 1;
  template <class T>
  static auto of(const T& v, int) -> decltype(Extent{v.x, v.y, v.z}) {
    return Extent{v.x, v.y, v.z};
  }
  template <class T>
  static Extent of(const T& v, long) {
    return Extent{static_cast<unsigned>(v), 1, 1};
  }
};

/// Whether the stream's work becomes nodes of a graph now. Then a launch is kept for the graph's: `thread` on
/// `context`, which `destroy` ends.
bool isCapturing(void* stream);
void captureLaunch(const format::UnitTable* unit, unsigned launchEntry, const LaunchShape& shape,
                   void (*thread)(void* context), void* context, void (*destroy)(void* context));

/// A launch from device code: `thread` on `context`, which `destroy` ends, when the running grid has
/// finished.
void launchLater(const format::UnitTable* unit, unsigned launchEntry, const LaunchShape& shape,
                 void (*thread)(void* context), void* context, void (*destroy)(void* context));

struct LaunchAt {
  const format::UnitTable& unit;
  unsigned entry;
};
template <class Kernel>
struct KernelAt {
  LaunchAt at;
  Kernel kernel;
};

/// A kernel with its configuration; calling it with the kernel's arguments launches. The arguments are
/// evaluated and copied once, here on the host; each thread then gets its own copies by value.
template <class Kernel>
class ConfiguredKernel {
 public:
  ConfiguredKernel(KernelAt<Kernel>& kernel, const LaunchShape& shape) : kernel_(kernel), shape_(shape) {}
  template <class... Arguments>
  void operator()(Arguments... arguments) const {
    if (cuiLaneLog != nullptr) return keep(launchLater, arguments...);
    if (isCapturing(shape_.stream)) return keep(captureLaunch, arguments...);
    auto thread = [&] { kernel_.kernel(arguments...); };
    launch(
        &kernel_.at.unit, kernel_.at.entry, shape_,
        [](void* context) { (*static_cast<decltype(thread)*>(context))(); }, &thread);
  }

 private:
  /// For a launch that takes place when this expression has long ended.
  template <class Taker, class... Arguments>
  void keep(Taker& take, Arguments&... arguments) const {
    auto kept = [kernel = kernel_.kernel, arguments...]() mutable { kernel(arguments...); };
    using Kept = decltype(kept);
    take(
        &kernel_.at.unit, kernel_.at.entry, shape_, [](void* context) { (*static_cast<Kept*>(context))(); },
        new Kept(static_cast<Kept&&>(kept)), [](void* context) { delete static_cast<Kept*>(context); });
  }

  KernelAt<Kernel>& kernel_;
  LaunchShape shape_;
};

template <class Kernel>
KernelAt<Kernel> operator<<(LaunchAt at, Kernel kernel) {
  return KernelAt<Kernel>{at, kernel};
}
template <class Kernel>
ConfiguredKernel<Kernel> operator<<(KernelAt<Kernel>&& kernel, const LaunchShape& shape) {
  return ConfiguredKernel<Kernel>(kernel, shape);
}

}  // namespace backend

// What CUI_LAUNCH and CUI_LAUNCH_OPEN spell: names a program's own macros do not have.
inline backend::LaunchAt cuiLaunchAt(const format::UnitTable& unit, unsigned entry) {
  return backend::LaunchAt{unit, entry};
}
// A list in braces has no type to deduce: it initialises a dim3.
template <class Grid = dim3, class Block = dim3>
backend::LaunchShape cuiLaunchShape(const Grid& grid, const Block& block, std::size_t sharedBytes = 0,
                                    void* stream = nullptr) {
  const backend::Extent g = backend::Extent::of(grid, 0), b = backend::Extent::of(block, 0);
  return backend::LaunchShape{{g.x, g.y, g.z}, {b.x, b.y, b.z}, sharedBytes, stream, false};
}

/// The kernel itself; from here on it can be launched by its address, too.
template <class... Parameters>
auto cuiKernelPointer(backend::CalledLaunch place, void (&kernel)(Parameters...)) -> void (&)(Parameters...) {
  backend::registerKernel(reinterpret_cast<const void*>(&kernel),
                          {place, &backend::KernelCaller<Parameters...>::call, sizeof...(Parameters),
                           backend::KernelCaller<Parameters...>::bytes()});
  return kernel;
}
namespace backend {
/// What a variable points to: a kernel, perhaps, which has been named where the variable came from.
template <class... Parameters>
void registerPointed(CalledLaunch place, void (*kernel)(Parameters...)) {
  if (kernel && !findKernel(reinterpret_cast<const void*>(kernel))) cuiKernelPointer(place, *kernel);
}
template <class T>
void registerPointed(CalledLaunch, const T&) {}
}  // namespace backend
template <class Pointer>
auto cuiKernelPointer(backend::CalledLaunch place, Pointer& variable)
    -> std::enable_if_t<!std::is_function<Pointer>::value, Pointer&> {
  backend::registerPointed(place, variable);
  return variable;
}
inline backend::CalledLaunch cuiPlace(const format::UnitTable& unit, unsigned entry) {
  return backend::CalledLaunch{&unit, entry};
}

}  // namespace cui
