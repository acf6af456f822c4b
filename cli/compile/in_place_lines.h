// The PTX of which in_place_text.cpp puts together what stands in a call's place. Words between < and > are
// filled in there.
#pragma once

#include <string_view>

namespace cui::cli::in_place {

// %cuihn is the next slot of the lane's chunk, %cuihr room and tag, <counted> what it has counted of the
// site. Of a call: <m> who comes, <whole> whether all do, <lanes> how many, <leads> whether the lane is the
// lowest of these. <q0> and on, <r0> and on and <d0> and on are the access's own. No predicate is left to be
// needed behind a call of the recorder: calls keep none, and ptxas would pack them into a register each time.

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

/// To <r0>, <r1> go the halves of the lane's address.
constexpr std::string_view inShared = R"(
cvt.u32.u64 <r0>, <address>;
mov.u32 <r1>, 0;
)";
constexpr std::string_view anywhere = R"(
mov.b64 {<r0>, <r1>}, <address>;
)";
/// <q1>: there is room for the record, and for counting it, as far as the lane knows.
constexpr std::string_view askForRoom = R"(
setp.ge.or.u32 <q1>, %cuihr, <room of five>, !<leads>;
setp.ge.and.s32 <q1>, <counted>, 0, <q1>;
)";
/// <r4> of the lane that leads: where plain tables go, if its chunk is a large one, which only samples' are,
/// and has room; else, and of other lanes, -1.
constexpr std::string_view askForPlain = R"(
and.b32 <r7>, %cuihr, <large>;
setp.ne.and.s32 <q2>, <r7>, 0, <leads>;
setp.ge.and.u32 <q2>, %cuihr, <room of plain>, <q2>;
setp.ge.and.s32 <q2>, <counted>, 0, <q2>;
selp.b32 <r4>, %cuihn, -1, <q2>;
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
<slot of plain>
<is line>
vote.sync.all.pred <q0>, <q0>, -1;
@!<q0> bra <otherwise>;
<keep line>
<write header>
)";
constexpr std::string_view firstsHalf = R"(
shfl.sync.idx.b32 <r3>, <r1>, 0, 31, -1;
)";
/// In a sample's blocks, where the leader's chunk is a large one: where each lane is, in place of what finds
/// out whether that follows a rule. The host does. A part has to ask where that goes.
constexpr std::string_view isOfSample = R"(
setp.lt.s32 <q0>, %cuihwarp, 0;
@<q0> bra <plain part>;
)";
/// Of a whole warp: where it is likely, together with its other questions, else behind them.
constexpr std::string_view slotOfPlain = R"(
<room for plain>
shfl.sync.idx.b32 <r4>, <r4>, 0, 31, -1;
)";
constexpr std::string_view ifSlotOfPlain = R"(
setp.ne.s32 <q0>, <r4>, -1;
@<q0> bra <plain>;
)";
constexpr std::string_view unlessSlotOfPlain = R"(
setp.lt.s32 <q0>, %cuihwarp, 0;
@!<q0> bra <rows>;
)";
constexpr std::string_view writePlainTable = R"(
<plain part>:
<room for plain>
redux.sync.min.u32 <r4>, <r4>, <m>;
setp.eq.s32 <q0>, <r4>, -1;
@<q0> bra <part by rule>;
<plain>:
<keep nothing>
mov.u32 <r6>, <plain table>;
<write header>
mad.wide.u32 <d1>, %cuihlane, <lane's bytes>, <d0>;
st.global.<lane's type> [<d1>+32], <lane's place>;
bra.uni <done>;
)";
/// Of a part: whether it is beside those before it. Lanes alone have no distance.
constexpr std::string_view writePart = R"(
<part>:
<is of sample>
<part by rule>:
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
constexpr std::string_view partsHalf = R"(
selp.b32 <r3>, <r1>, 0, <leads>;
redux.sync.or.b32 <r3>, <r3>, <m>;
)";
constexpr std::string_view hasNoDistanceAlone = R"(
setp.eq.s32 <q2>, <lanes>, 1;
selp.b32 <r6>, 0, <distance of them>, <q2>;
)";
/// Offsets in shared memory are so small that no product goes beyond a word.
constexpr std::string_view distanceInShared = R"(
sub.s32 <r5>, <r0>, <r2>;
)";
constexpr std::string_view isThereInShared = R"(
setp.eq.and.s32 <q0>, <r5>, <r8>, <q1>;
)";
constexpr std::string_view distanceAnywhere = R"(
mov.b64 <d0>, {<r2>, <r3>};
sub.s64 <d0>, <address>, <d0>;
)";
constexpr std::string_view isThereAnywhere = R"(
setp.eq.and.s64 <q0>, <d0>, <d1>, <q1>;
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

/// In a sample's blocks what was no line is a plain table at once.
constexpr std::string_view otherwiseAsBefore = R"(
<otherwise as before>:
setp.lt.s32 <q0>, %cuihwarp, 0;
@!<q0> bra <again>;
<room for plain>
redux.sync.min.u32 <r4>, <r4>, <m>;
setp.ne.s32 <q0>, <r4>, -1;
@<q0> bra <plain>;
)";
/// Behind the body. Where there is no room in what the lanes hold, they hold other chunks and ask again, or
/// else the recorder sees to it. No rule is known then: ptxas would have them in memory.
constexpr std::string_view holdOthers = R"(
<otherwise>:
@!<whole> bra <part otherwise>;
<if slot of plain>
vote.sync.all.pred <q1>, <q1>, -1;
@!<q1> bra <no room>;
<unless slot of plain>
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
/// To <r5>, too. Distances beyond a word have no form here.
constexpr std::string_view distanceFits = R"(
mov.b64 {<r5>, <r8>}, <d0>;
shr.s32 <r7>, <r5>, 31;
setp.eq.s32 <q1>, <r7>, <r8>;
vote.sync.all.pred <q1>, <q1>, <who>;
@!<q1> bra <too far>;
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
constexpr std::string_view isInRowOfShared = R"(
mul.lo.s32 <r2>, <r2>, <r6>;
mad.lo.s32 <r2>, <r7>, <r3>, <r2>;
setp.eq.s32 <q0>, <r2>, <r5>;
)";
constexpr std::string_view isInRowAnywhere = R"(
mul.wide.s32 <d1>, <r2>, <r6>;
mad.wide.s32 <d1>, <r7>, <r3>, <d1>;
setp.eq.s64 <q0>, <d1>, <d0>;
)";
/// To <r2> goes the address's upper half, to <r3> what stands for the mask. In shared memory there is room
/// for the rows' distance in the address; elsewhere it stands for the mask.
constexpr std::string_view placeOfRowsOfShared = R"(
and.b32 <r2>, <r3>, <row stride>;
or.b32 <r2>, <r2>, <r8>;
or.b32 <r2>, <r2>, <part of rows>;
mov.u32 <r3>, <m>;
)";
constexpr std::string_view placeOfRowsAnywhere = R"(
or.b32 <r2>, <r1>, <r8>;
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
@!<q0> bra <otherwise as before>;
<shape as before>
<write header>
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
