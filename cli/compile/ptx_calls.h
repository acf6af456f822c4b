// PTX that calls the recorder's functions, for kernels in which something else stands in place of what cicc
// wrote (tally_text.h, in_place_text.h). `<state>` in it is the unit's.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace cui::cli {

/// Of functions that are the same for all modes (cuinstrument/backend/cuda/modes.h: linkedForm).
constexpr unsigned formOfAnyMode = 4;

/// The mangled name of a function of the recorder, in that form. `name` is with its length, `type` what
/// stands behind the template's argument.
std::string recorderName(std::string_view name, unsigned form, std::string_view type);

/// Declares it, with a parameter of 32 or 64 bits for each 'w' or 'd', and what it returns: `.b32`, `.b64`.
std::string externDeclaration(std::string_view name, std::string_view parameters,
                              std::string_view result = {});

/// Of 32 or 64 bits: 'w' or 'd'.
struct CallOperand {
  char bits;
  const char* text;
};
/// A call of the function, with these operands, behind what `before` computes; what it returns goes to
/// `result`, if it does, a register of 32 bits or, with `wide`, of 64.
std::string callText(std::string_view before, std::string_view function,
                     std::initializer_list<CallOperand> operands, std::string_view result = {},
                     bool wide = false);

/// For a call, where the unit's state is: `%unit`.
constexpr std::string_view unitOperand = R"(
.reg .b64 %unit;
mov.u64 %unit, <state>;
cvta.const.u64 %unit, %unit;
)";

/// For a call, a site's key: `%key`; of `<site key>`, beyond the unit's first one.
constexpr std::string_view keyOperand = R"(
.reg .b32 %key;
ld.const.u32 %key, [<state>+<first key at>];
add.s32 %key, %key, <site key>;
)";

/// A lane's own memory, for what it has in registers, while functions are called that keep few of them: ptxas
/// would have it in memory all over the kernel. Declared at a kernel's beginning.
constexpr std::string_view usualMemoryAway = "cuiAway";
std::string memoryAway(unsigned bytes, std::string_view name = usualMemoryAway);
/// Stores to it, or loads: `[%away+…]`. ptxas does not know where that is, or it would take it for registers.
std::string ofMemoryAway(std::string_view accesses, std::string_view name = usualMemoryAway);

/// What is done where any lane has something else than 0 in `word`; `<past>` is the label behind it.
std::string ifAnyHas(std::string_view word, std::string_view text);

/// With a tab in front of each line that is no label.
std::string indented(std::string_view text);

}  // namespace cui::cli
