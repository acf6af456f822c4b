// PTX as text: what it takes to link a unit's device code with the recorder as a module of its own
// (recorder_module.h).
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// Whether it calls functions of the recorder that it does not define.
bool callsRecorder(std::string_view ptx);

/// Whether it has functions of its own that are not inlined, or calls some through pointers. They would have
/// to save all registers, of 255, that a recorder's function does not preserve.
bool hasFunctions(std::string_view ptx);

/// What its `.target` names first: `sm_90`.
std::string targetOf(std::string_view ptx);

/// Says of each of the recorder's functions, declared or defined, how many registers it preserves
/// (cuinstrument/backend/cuda/preserved_registers.def). Those that it does not name follow the convention.
std::string withPreservedRegisters(std::string_view ptx);

/// The unit with the module's functions in it: PTX that a driver can compile for another GPU.
std::string withModule(std::string_view unit, std::string_view module);

}  // namespace cui::cli
