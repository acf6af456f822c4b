// PTX as text: what it takes to link a unit's device code with the recorder as a module of its own
// (recorder_module.h).
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "cli/compile/linking_toolchain.h"
#include "cli/compile/register_limit.h"

namespace cui::cli {

/// Whether it calls functions of the recorder that it does not define.
bool callsRecorder(std::string_view ptx);

/// The modes of the recorder that it calls.
RecorderModes modesOf(std::string_view ptx);

/// The functions of a unit's own (not inlined) that call the recorder, or others that do.
std::set<std::string_view> recordingFunctions(std::string_view ptx);

/// Whether its functions can be told what registers they preserve: not for GPUs before compute capability 8.0
/// or before PTX ISA 9.0 (CUDA 13), nor where it calls functions through pointers, which keep to the
/// convention.
bool canSayWhatIsPreserved(std::string_view ptx);

/// Whether the ptxas that it is for is known to compile kernels side by side (`--split-compile`): as of
/// CUDA 13.
bool canSplitCompilation(std::string_view ptx);

/// What its `.target` names first: `sm_90`.
std::string targetOf(std::string_view ptx);

/// Says of each of the recorder's functions, declared or defined, how many registers it preserves
/// (cuinstrument/backend/cuda/preserved_registers.def), and of a unit's functions that call them: by the
/// convention these would have to save, whenever they are entered, all that the recorder does not preserve.
/// Other functions follow the convention.
std::string withPreservedRegisters(std::string_view ptx);

/// Limits the registers of kernels that record, where the program does not say what they are launched with:
/// CUDA promises 1,024 threads to a block, which 64 registers allow, unless the kernel needs more by itself.
/// Those in `plain` are what it has without the recorder; then it may have as many, so that blocks of as many
/// threads can be launched as without.
std::string withRegisterLimits(std::string_view ptx, const KernelRegisters& plain);

/// Kernels whose source says nothing of blocks or registers.
std::set<std::string, std::less<>> unlimitedKernels(std::string_view ptx);

/// Whether one of these may have more registers than the usual limit by itself, as far as its size tells: of
/// kernels of others with so much text two thirds have.
bool mayNeedMoreRegisters(std::string_view ptx);

/// The same of functions of the unit's own that record: what is in them counts, the recorder's calls as well.
bool functionsMayNeedMoreRegisters(std::string_view ptx);

/// The unit with those of the module's functions in it that it can reach: PTX that a driver can compile for
/// another GPU.
std::string withModule(std::string_view unit, std::string_view module);

}  // namespace cui::cli
