// The PTX that a kernel which writes its records has once: where it begins, and round calls. In it, %cuihn
// and %cuihr are those of in_place_lines.h.
#pragma once

#include <string_view>

namespace cui::cli::in_place {

/// A block that is not recorded goes elsewhere. The warp's number has the sign of a sample of blocks, where a
/// header's tag goes. With a word that is 0, and by a question to lanes: ptxas would ask for all this each
/// time anew, and wait for it.
constexpr std::string_view kernelBegins = R"(
.reg .pred %others;
.reg .b32 %zero, %word, %other;
.reg .b64 %grid;
mov.u32 %word, <ctaid.z>;
mov.u32 %other, <nctaid.y>;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, <ctaid.y>;
add.s32 %word, %word, %other;
mov.u32 %other, <nctaid.x>;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, <ctaid.x>;
add.s32 %word, %word, %other;
mul.lo.s32 %zero, %word, <order>;
shr.u32 %zero, %zero, 1;
ld.const.u32 %other, [<state>+<recorded blocks at>];
setp.ge.u32 %others, %zero, %other;
@%others bra <others>;
ld.const.u32 %zero, [<state>+<zero at>];
xor.b32 %cuihblock, %word, %zero;
mov.u32 %word, %laneid;
activemask.b32 %other;
shfl.sync.idx.b32 %cuihlane, %word, %word, 31, %other;
shl.b32 %cuihbelow, 1, %cuihlane;
sub.s32 %cuihbelow, %cuihbelow, 1;
mov.u64 %grid, %gridid;
cvt.u32.u64 %cuihlaunch, %grid;
xor.b32 %cuihlaunch, %cuihlaunch, %zero;
mov.u32 %word, %tid.z;
mov.u32 %other, %ntid.y;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, %tid.y;
add.s32 %word, %word, %other;
mov.u32 %other, %ntid.x;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, %tid.x;
add.s32 %word, %word, %other;
shr.u32 %word, %word, 5;
and.b32 %word, %word, 31;
ld.const.u32 %other, [<state>+<recorded blocks at>];
and.b32 %other, %other, <all blocks>;
xor.b32 %other, %other, <all blocks>;
or.b32 %word, %word, %other;
xor.b32 %cuihwarp, %word, %zero;
)";
constexpr std::string_view valuesAway = R"(
st.local.v4.u32 [%away], {%cuihlane, %cuihbelow, %cuihblock, %cuihwarp};
)";
constexpr std::string_view valuesBack = R"(
ld.local.v4.u32 {%cuihlane, %cuihbelow, %cuihblock, %cuihwarp}, [%away];
)";
constexpr std::string_view nothingHeld = R"(
mov.u32 %cuihn, 0;
mov.u32 %cuihr, 0;
)";

/// Where the counts are, in the lane's own memory.
constexpr std::string_view countsOperand = R"(
.reg .b64 %counts;
cvt.u64.u32 %counts, %away;
cvta.local.u64 %counts, %counts;
add.s64 %counts, %counts, <counts away>;
)";
constexpr std::string_view heldOperand = R"(
.reg .b64 %held;
mov.b64 %held, {%cuihn, %cuihr};
)";

}  // namespace cui::cli::in_place
