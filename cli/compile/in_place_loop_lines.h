// The PTX that stands in place of a call that records all of a loop's accesses (recordGatheredLoop() of
// cuinstrument/backend/cuda/loop.h, of whose i-th access lane i knows all, or recordLoopOne()).
// Words between < and > are filled in by in_place_loop_text.cpp; those of operands are the call's.
#pragma once

#include <string_view>

namespace cui::cli::in_place {

/// <where>: the lane's access is counted there; 0: it is not known yet. Whole warps only.
constexpr std::string_view isLoopReady = R"(
setp.lt.u32 %has, %cuihlane, <count>;
setp.eq.and.s64 %lacks, <where>, 0, %has;
setp.lt.u32 %short, %cuihr, <room of loop>;
setp.eq.and.s32 %short, %cuihlane, 0, %short;
or.pred %lacks, %lacks, %short;
vote.sync.any.pred %lacks, %lacks, -1;
)";
/// Its rows, where the block has short ones; <first> is with the space in its highest bits.
constexpr std::string_view findRowsOfLoop = R"(
shl.b32 %t, %space, 28;
xor.b32 %high, %high, %t;
sub.s32 %row, <row>, %low;
mov.u32 %width, %ntid.x;
sub.s32 %t, %width, 1;
and.b32 %t, %t, %width;
setp.eq.s32 %rows, %t, 0;
setp.lt.and.u32 %rows, %width, 32, %rows;
bfind.u32 %bits, %width;
shl.b32 %t, %stride, %bits;
setp.ne.and.s32 %rows, %t, %row, %rows;
selp.b32 %mask, %row, -1, %rows;
selp.b32 %bits, %bits, 0, %rows;
shl.b32 %bits, %bits, <rows above>;
or.b32 %high, %high, %bits;
selp.b32 %shape, <form of rows>, 0, %rows;
)";
constexpr std::string_view hasNoRows = R"(
mov.u32 %mask, -1;
mov.u32 %shape, 0;
)";

/// Of a loop of one access a lane knows its own alone: a whole warp goes round equally often, and its lanes
/// are as far from one another as the first two.
constexpr std::string_view findEvenAccess = R"(
.reg .pred %even;
.reg .b32 %second, %asked, %round, %begin, %above, %ahead;
.reg .b64 %first, %place;
activemask.b32 %asked;
setp.eq.s32 %even, %asked, -1;
@!%even bra <otherwise>;
mov.b64 {%begin, %above}, <address>;
mov.u32 %round, <times>;
mov.u32 %ahead, <step>;
shfl.sync.idx.b32 %second, %begin, 1, 31, -1;
shfl.sync.idx.b32 %begin, %begin, 0, 31, -1;
shfl.sync.idx.b32 %above, %above, 0, 31, -1;
shfl.sync.idx.b32 %asked, %round, 0, 31, -1;
setp.eq.s32 %even, %asked, %round;
shfl.sync.idx.b32 %asked, %ahead, 0, 31, -1;
setp.eq.and.s32 %even, %asked, %ahead, %even;
mov.b64 %first, {%begin, %above};
sub.s32 %asked, %second, %begin;
mad.wide.s32 %place, %asked, %cuihlane, %first;
setp.eq.and.s64 %even, %place, <address>, %even;
vote.sync.all.pred %even, %even, -1;
@!%even bra <otherwise>;
)";

/// A slot for each access, by the lane that has it, and in front of them the loop's own, by the lane behind
/// these. As loopRecord() and makeLoopHeader() put them together.
constexpr std::string_view writeLoop = R"(
<again>:
{
.reg .pred %has, %lacks, %short, %rows, %heads;
.reg .b32 %t, %slot, %tag, %low, %high, %space, %stride, %row, %width, %bits, %mask, %shape, %site, %launch;
.reg .b64 %at, %times;
<find accesses>
<is loop ready>
@%lacks bra <not ready>;
shfl.sync.idx.b32 %slot, %cuihn, 0, 31, -1;
shfl.sync.idx.b32 %tag, %cuihr, 0, 31, -1;
setp.eq.s32 %heads, %cuihlane, <count>;
mov.b64 {%low, %high}, <first>;
and.b32 %space, <key>, <space mask>;
sub.s32 %stride, <second>, %low;
<find rows>
shl.b32 %t, <bytes>, 5;
shl.b32 %space, %space, <space above>;
or.b32 %shape, %shape, %t;
or.b32 %shape, %shape, %space;
shr.u32 %site, <key>, <key shift>;
mov.u32 %launch, <step>;
add.s32 %t, %cuihlane, 1;
selp.b32 %low, <times>, %low, %heads;
selp.b32 %high, 0, %high, %heads;
selp.b32 %mask, -1, %mask, %heads;
selp.b32 %shape, <shape of loop>, %shape, %heads;
selp.b32 %site, 0, %site, %heads;
selp.b32 %launch, %cuihlaunch, %launch, %heads;
selp.b32 %stride, 0, %stride, %heads;
selp.b32 %t, 0, %t, %heads;
or.b32 %shape, %shape, %cuihwarp;
prmt.b32 %shape, %shape, %tag, <tag above>;
prmt.b32 %site, %site, %tag, <tag above>;
add.s32 %slot, %slot, %t;
ld.const.u64 %at, [<state>+<pool at>];
mad.wide.u32 %at, %slot, 32, %at;
or.pred %heads, %heads, %has;
@%heads st.global.v4.u32 [%at], {%low, %high, %mask, %shape};
@%heads st.global.v4.u32 [%at+16], {%site, %launch, %cuihblock, %stride};
cvt.u64.u32 %times, <times>;
@%has red.global.add.u64 [<where>], %times;
setp.eq.s32 %heads, %cuihlane, 0;
@%heads add.s32 %cuihn, %cuihn, <slots of loop>;
@%heads sub.s32 %cuihr, %cuihr, <room of loop>;
}
mov.u32 <result>, 1;
<done>:
)";
/// Behind the body. Where lane 0 gets no room, or a site no count, the recorder sees to it.
constexpr std::string_view makeLoopReady = R"(
<not ready>:
<hold anew>
mov.b64 {%cuihn, %cuihr}, <d1>;
<find counts>
{
.reg .pred %has, %lacks, %short;
<is loop ready>
@!%lacks bra <again>;
}
<otherwise>:
<call>
bra.uni <done>;
)";

}  // namespace cui::cli::in_place
