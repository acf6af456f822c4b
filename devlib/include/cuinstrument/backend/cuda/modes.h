// Which of the two modes a unit's device code is compiled for: both, so that CUINSTRUMENT_MODE chooses at run
// time, unless CUI_TRACE_ONLY or CUI_PROFILE_ONLY is defined. The code for a mode takes ptxas a fifth of a
// second or more in each kernel.
#pragma once

#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/host/abi.h"

#if defined(CUI_TRACE_ONLY) && defined(CUI_PROFILE_ONLY)
#error "CUI_TRACE_ONLY and CUI_PROFILE_ONLY exclude each other; without either both modes are compiled"
#elif defined(CUI_TRACE_ONLY)
#define CUI_COMPILED_MODES CUI_MODE_TRACE
#elif defined(CUI_PROFILE_ONLY)
#define CUI_COMPILED_MODES CUI_MODE_PROFILE
#else
#define CUI_COMPILED_MODES (CUI_MODE_TRACE | CUI_MODE_PROFILE)
#endif

namespace cui {
namespace backend {

constexpr bool compilesTrace = (CUI_COMPILED_MODES & CUI_MODE_TRACE) != 0;
constexpr bool compilesProfile = (CUI_COMPILED_MODES & CUI_MODE_PROFILE) != 0;

/// A linked function that asks for the mode before it hands on to another one has saved registers by then,
/// and the other one saves them again. So sites choose between two functions there, by what is the same in
/// all lanes. Where the recorder is compiled in the unit ptxas sees through that, and a site has one call.
#if defined(CUI_RECORDER_LINKED) || defined(CUI_RECORDER_MODULE)
constexpr bool sitesAskForMode = true;
#else
constexpr bool sitesAskForMode = false;
#endif

// With -rdc=true the linker merges functions of one name, of whatever unit: of units that have the recorder
// compiled in them, for one mode or both, and of units it is linked to. So functions have in their name what
// they depend on: by this argument, or by the type of the unit's state, which all forms are templates over.
constexpr int linkedForm = sitesAskForMode ? 1 << 2 : 0;
constexpr int compiledForm = CUI_COMPILED_MODES | linkedForm;
#define CUI_OF_MODES template <int = ::cui::backend::compiledForm>
#define CUI_OF_ANY_MODE template <int = ::cui::backend::linkedForm>  // the same for all modes
template <int Form>
struct UnitOfForm : DeviceUnit {};
static_assert(sizeof(UnitOfForm<compiledForm>) == sizeof(DeviceUnit), "the host writes a DeviceUnit");

/// Whether accesses that carry these mode bits are added to the profile.
CUI_FORMAT_HD constexpr bool isProfiled(unsigned int key) {
  return compilesProfile && (!compilesTrace || (key & profileBit) != 0);
}
/// A step of several functions that the module has in each of them, since a call costs there (recorder.h). In
/// a unit it is a function: each kernel would have all those copies.
#if defined(CUI_RECORDER_MODULE)
#define CUI_STEP __forceinline__
#else
#define CUI_STEP __noinline__
#endif

/// Whether anything must be asked about the mode before an access is recorded.
CUI_FORMAT_HD constexpr bool hasMode(unsigned int key) {
  return !compilesTrace || (key & modeBits) != 0;
}

}  // namespace backend
}  // namespace cui
