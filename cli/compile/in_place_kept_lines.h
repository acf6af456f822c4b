// The PTX of accesses to shared memory whose lanes follow the rule that they followed at another one.
#pragma once

#include <string_view>

namespace cui::cli::in_place {

// <keeps place>, <keeps distance> and <keeps rows>: a lane's offset in shared memory at an access of all
// lanes that followed a rule, and the words of its record that say which, the second 0 for a line; <asks …>:
// those that another access has kept. A lane keeps nothing where not all came or not all followed it, so that
// those that agree all kept the same.

constexpr std::string_view keepLine = R"(
mov.u32 <keeps place>, <r0>;
mov.u32 <keeps distance>, <r6>;
mov.u32 <keeps rows>, 0;
)";
constexpr std::string_view keepRows = R"(
mov.u32 <keeps place>, <r0>;
mov.u32 <keeps distance>, <r6>;
mov.u32 <keeps rows>, <r2>;
)";
constexpr std::string_view keepNothing = R"(
not.b32 <keeps place>, <r0>;
)";
/// Also of a part of the lanes that followed a rule: those that come are where they were then.
constexpr std::string_view isAsBefore = R"(
setp.eq.and.s32 <q0>, <r0>, <asks place>, <q1>;
)";
constexpr std::string_view shapeAsBefore = R"(
<alone as before>
setp.eq.s32 <q2>, <asks rows>, 0;
selp.b32 <r5>, <shape of line>, <shape of rows>, <q2>;
)";
constexpr std::string_view writeAsBefore = R"(
<room for it>
<is as before>
vote.sync.all.pred <q0>, <q0>, <m>;
@!<q0> bra <again>;
<shape as before>
<write header>
)";
}  // namespace cui::cli::in_place
