// The PTX of which in_place_text.cpp puts together what stands in a call's place. Words between < and > are
// filled in there; what differs by the space is in in_place_space_lines.h, rules that another access followed
// in in_place_kept_lines.h, what a kernel has once in in_place_kernel_lines.h.
#pragma once

#include <string_view>

namespace cui::cli::in_place {

// %cuihn is the next slot of the lane's chunk, %cuihr room and tag, <counted> what it has counted of the
// site. Of a call: <m> who comes, <whole> whether all do, <lanes> how many, <leads> whether the lane is the
// lowest of these. <q0> and on, <r0> and on and <d0> and on are the access's own. No predicate is left to be
// needed behind a call of the recorder: calls keep none, and ptxas would pack them into a register each time.

constexpr std::string_view whoComes = R"(
activemask.b32 <m>;
popc.b32 <lanes>, <m>;
<which of them>
)";
/// Anew behind calls, which keep no predicates.
constexpr std::string_view whichOfThem = R"(
and.b32 <t>, <m>, %cuihbelow;
setp.eq.s32 <leads>, <t>, 0;
setp.eq.s32 <whole>, <m>, -1;
)";

/// <q1>: there is room for the record, and for counting it, as far as the lane knows.
constexpr std::string_view askForRoom = R"(
setp.ge.or.u32 <q1>, %cuihr, <room of five>, !<leads>;
setp.ge.and.s32 <q1>, <counted>, 0, <q1>;
)";
/// Of a whole warp: <r2>, <r3> are the halves of the first lane's address, <r5> (<d0>) is the lane's distance
/// from it, <r6> that of the second lane, <q0> whether the lane is where that says, and there is room. All
/// questions to other lanes stand together: each group of them costs a test for lanes that have parted.
constexpr std::string_view isLine = R"(
shfl.sync.idx.b32 <r2>, <r0>, 0, 31, -1;
shfl.sync.idx.b32 <r6>, <r0>, 1, 31, -1;
<first's half>
sub.s32 <r6>, <r6>, <r2>;
<distance>
<product of lanes>
<is there>
)";
constexpr std::string_view writeLine = R"(
<again>:
<forget next>
<room for it>
@!<whole> bra <part>;
<is line>
vote.sync.all.pred <q0>, <q0>, -1;
@!<q0> bra <otherwise>;
<keep line>
<write header>
)";
/// Of a part: whether it is beside those before it. Lanes alone have no distance.
constexpr std::string_view writePart = R"(
<part>:
selp.b32 <r2>, <r0>, 0, <leads>;
redux.sync.or.b32 <r2>, <r2>, <m>;
<part's half>
brev.b32 <r7>, <m>;
bfind.shiftamt.u32 <r7>, <r7>;
sub.s32 <r7>, %cuihlane, <r7>;
mov.u32 <r6>, <bytes>;
<distance>
<product of part>
<is there>
vote.sync.all.pred <q0>, <q0>, <m>;
@!<q0> bra <otherwise>;
<keep nothing>
<alone>
<write header>
bra.uni <done>;
)";
constexpr std::string_view hasNoDistanceAlone = R"(
setp.eq.s32 <q2>, <lanes>, 1;
selp.b32 <r6>, 0, <distance of them>, <q2>;
)";

constexpr std::string_view writeHeader = R"(
ld.const.u64 <d0>, [<state>+<pool at>];
mad.wide.u32 <d0>, <slot>, 32, <d0>;
or.b32 <r7>, %cuihwarp, <shape>;
prmt.b32 <r7>, <r7>, %cuihr, <tag above>;
ld.const.u32 <r8>, [<state>+<first site at>];
add.s32 <r8>, <r8>, <site>;
prmt.b32 <r8>, <r8>, %cuihr, <tag above>;
@<leads> st.global.v4.u32 [<d0>], {<r0>, <high half>, <mask>, <r7>};
@<leads> st.global.v4.u32 [<d0>+16], {<r8>, %cuihlaunch, %cuihblock, <r6>};
@<leads> add.s32 %cuihn, %cuihn, <slots>;
@<leads> sub.s32 %cuihr, %cuihr, <room>;
add.s32 <r7>, <lanes>, <one led>;
@<leads> add.s32 <counted>, <counted>, <r7>;
)";

/// Behind the body. Where there is no room in what the lanes hold, they hold other chunks and ask again, or
/// else the recorder sees to it. No rule is known then: ptxas would have them in memory.
constexpr std::string_view holdOthers = R"(
<otherwise>:
@!<whole> bra <part otherwise>;
vote.sync.all.pred <q1>, <q1>, -1;
@!<q1> bra <no room>;
bra.uni <rows>;
<part otherwise>:
vote.sync.all.pred <q1>, <q1>, <m>;
@<q1> bra <no rows>;
<no room>:
<hold anew>
mov.b64 {%cuihn, %cuihr}, <d1>;
<forget rules>
<which of them>
<room for it>
vote.sync.all.pred <q1>, <q1>, <m>;
@<q1> bra <again>;
<too far>:
<keep nothing>
<record>
mov.b64 {%cuihn, %cuihr}, <d1>;
mov.u32 <counted>, 0;
<forget rules>
<which of them>
<forget next>
bra.uni <done>;
)";
/// Of a whole warp: rows begin at the first lane that is not where the distance of the first two says, if its
/// number is a power of two, and their distance is that lane's.
constexpr std::string_view writeRows = R"(
<rows>:
<distance fits>
mul.lo.s32 <r7>, <r6>, %cuihlane;
setp.ne.s32 <q0>, <r5>, <r7>;
vote.sync.ballot.b32 <r7>, <q0>, -1;
brev.b32 <r7>, <r7>;
bfind.shiftamt.u32 <r7>, <r7>;
sub.s32 <r8>, <r7>, 1;
and.b32 <r2>, <r7>, <r8>;
setp.ne.s32 <q0>, <r2>, 0;
@<q0> bra <table>;
shfl.sync.idx.b32 <r3>, <r5>, <r7>, 31, -1;
and.b32 <r2>, %cuihlane, <r8>;
popc.b32 <r8>, <r8>;
shr.u32 <r7>, %cuihlane, <r8>;
<is in row>
vote.sync.all.pred <q0>, <q0>, -1;
@!<q0> bra <table>;
shl.b32 <r8>, <r8>, <rows above>;
<place of rows>
<keep rows>
<write header>
bra.uni <done>;
)";
/// With the lanes' distances, to which the leader says where.
constexpr std::string_view writeTable = R"(
<no rows>:
<distance of part fits>
<table>:
<keep nothing>
mov.u32 <r6>, 0;
selp.b32 <r4>, %cuihn, 0, <leads>;
redux.sync.or.b32 <r4>, <r4>, <m>;
<write header>
mad.wide.u32 <d1>, %cuihlane, 4, <d0>;
st.global.u32 [<d1>+32], <r5>;
bra.uni <done>;
)";

}  // namespace cui::cli::in_place
