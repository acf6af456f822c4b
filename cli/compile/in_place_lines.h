// The PTX of which in_place_text.cpp puts together what stands in a call's place. Words between < and > are
// filled in there.
#pragma once

#include <string_view>

namespace cui::cli::in_place {

// In the texts: %cuihn the next slot of the lane's chunk, %cuihr room and tag, <counted> what it has counted
// of the site. Of a call: <m> who comes, <whole> whether all do, <rel> how far behind the lowest of these the
// lane is, <leads> whether it is that one. <q0> and on, <r0> and on and <d0> and on are the access's own.
// <keeps place>, <keeps distance> and <keeps rows>: a lane's offset in shared memory at an access of all
// lanes that followed a rule, and the words of its record that say which, the second 0 for a line; <asks …>:
// those that another access has kept.

/// With a word that is 0, and by a question to lanes: ptxas would ask for all this each time anew, and wait
/// for it.
constexpr std::string_view kernelBegins = R"(
.reg .b32 %zero, %word, %other;
.reg .b64 %grid;
ld.const.u32 %zero, [<state>+<zero at>];
mov.u32 %word, %laneid;
activemask.b32 %other;
shfl.sync.idx.b32 %cuihlane, %word, %word, 31, %other;
mov.u64 %grid, %gridid;
cvt.u32.u64 %cuihlaunch, %grid;
xor.b32 %cuihlaunch, %cuihlaunch, %zero;
mov.u32 %word, <ctaid.z>;
mov.u32 %other, <nctaid.y>;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, <ctaid.y>;
add.s32 %word, %word, %other;
mov.u32 %other, <nctaid.x>;
mul.lo.s32 %word, %word, %other;
mov.u32 %other, <ctaid.x>;
add.s32 %word, %word, %other;
xor.b32 %cuihblock, %word, %zero;
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
xor.b32 %cuihwarp, %word, %zero;
)";
constexpr std::string_view nothingHeld = R"(
mov.u32 %cuihn, 0;
mov.u32 %cuihr, 0;
)";

constexpr std::string_view whoComes = R"(
activemask.b32 <m>;
setp.eq.s32 <whole>, <m>, -1;
brev.b32 <t>, <m>;
bfind.shiftamt.u32 <t>, <t>;
sub.s32 <rel>, %cuihlane, <t>;
setp.eq.s32 <leads>, <rel>, 0;
selp.b32 <one more>, <led too>, 1, <leads>;
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
and.b32 <r8>, <counted>, <full>;
setp.eq.and.s32 <q1>, <r8>, 0, <q1>;
)";
constexpr std::string_view askByParts = R"(
@!<whole> bra <part>;
)";
/// To <r2>, <r3> go the halves of the first lane's address, to <r4> its next slot, to <r5> the lane's
/// distance from it. All questions to other lanes stand together: each group of them costs a test for lanes
/// that have parted. A whole warp's: <q0> whether the lane is where the distance of the first two says, <r6>.
constexpr std::string_view askWarp = R"(
shfl.sync.idx.b32 <r2>, <r0>, 0, 31, -1;
shfl.sync.idx.b32 <r6>, <r0>, 1, 31, -1;
<first's half>
shfl.sync.idx.b32 <r4>, %cuihn, 0, 31, -1;
sub.s32 <r6>, <r6>, <r2>;
<distance>
<product>
<q0 and q1>
vote.sync.all.pred <q1>, <q1>, -1;
vote.sync.all.pred <q0>, <q0>, -1;
<asked>:
)";
constexpr std::string_view firstsHalf = R"(
shfl.sync.idx.b32 <r3>, <r1>, 0, 31, -1;
)";
/// Of a part: whether it is beside those before it.
constexpr std::string_view askPart = R"(
<part>:
selp.b32 <r2>, <r0>, 0, <leads>;
selp.b32 <r4>, %cuihn, 0, <leads>;
mov.u32 <r6>, <bytes>;
<part's half>
redux.sync.or.b32 <r2>, <r2>, <m>;
redux.sync.or.b32 <r4>, <r4>, <m>;
<distance>
<product>
<q0 and q1>
vote.sync.all.pred <q1>, <q1>, <m>;
vote.sync.all.pred <q0>, <q0>, <m>;
bra.uni <asked>;
)";
constexpr std::string_view partsHalf = R"(
selp.b32 <r3>, <r1>, 0, <leads>;
redux.sync.or.b32 <r3>, <r3>, <m>;
)";
/// Offsets in shared memory are so small that no product goes beyond a word.
constexpr std::string_view distanceInShared = R"(
mov.u32 <r3>, 0;
sub.s32 <r5>, <r0>, <r2>;
)";
constexpr std::string_view comparisonInShared = R"(
setp.eq.s32 <q0>, <r5>, <r8>;
)";
/// <q1>, too: that there is room for it in a word.
constexpr std::string_view distanceAnywhere = R"(
mov.b64 <d0>, {<r2>, <r3>};
sub.s64 <d0>, <address>, <d0>;
)";
constexpr std::string_view comparisonAnywhere = R"(
setp.eq.s64 <q0>, <d0>, <d1>;
<distance fits>
)";
constexpr std::string_view distanceFits = R"(
mov.b64 {<r5>, <r8>}, <d0>;
shr.s32 <r7>, <r5>, 31;
setp.eq.and.s32 <q1>, <r7>, <r8>, <q1>;
)";

/// The record of a line, or else, behind the body, of rows or with a table of the distances. Lanes alone have
/// no distance.
constexpr std::string_view writeLine = R"(
@!<q1> bra <otherwise>;
<ready>:
@!<q0> bra <rows>;
<keep line>
popc.b32 <r7>, <m>;
setp.eq.s32 <q2>, <r7>, 1;
selp.b32 <r6>, 0, <r6>, <q2>;
<write header>
)";
/// Of a whole warp: rows begin at the first lane that is not where the distance of the first two says, if its
/// number is a power of two, and their distance is that lane's.
constexpr std::string_view writeRows = R"(
<rows>:
@!<whole> bra <table>;
mul.lo.s32 <r7>, <r6>, %cuihlane;
setp.ne.s32 <q0>, <r5>, <r7>;
vote.sync.ballot.b32 <r7>, <q0>, -1;
brev.b32 <r7>, <r7>;
bfind.shiftamt.u32 <r7>, <r7>;
sub.s32 <r8>, <r7>, 1;
and.b32 <r0>, <r7>, <r8>;
setp.ne.s32 <q0>, <r0>, 0;
@<q0> bra <table>;
shfl.sync.idx.b32 <r1>, <r5>, <r7>, 31, -1;
and.b32 <r0>, %cuihlane, <r8>;
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
mul.lo.s32 <r0>, <r0>, <r6>;
mad.lo.s32 <r0>, <r7>, <r1>, <r0>;
setp.eq.s32 <q0>, <r0>, <r5>;
)";
constexpr std::string_view isInRowAnywhere = R"(
mul.wide.s32 <d1>, <r0>, <r6>;
mad.wide.s32 <d1>, <r7>, <r1>, <d1>;
setp.eq.s64 <q0>, <d1>, <d0>;
)";
/// In shared memory there is room for the rows' distance in the address; elsewhere it stands for the mask.
constexpr std::string_view placeOfRowsOfShared = R"(
and.b32 <r1>, <r1>, <row stride>;
or.b32 <r3>, <r8>, <r1>;
or.b32 <r3>, <r3>, <part of rows>;
mov.u32 <r1>, <m>;
)";
constexpr std::string_view placeOfRowsAnywhere = R"(
or.b32 <r3>, <r3>, <r8>;
)";
constexpr std::string_view writeTable = R"(
<table>:
<keep nothing>
mov.u32 <r6>, 0;
<write header>
mad.wide.u32 <d1>, %cuihlane, 4, <d0>;
st.global.u32 [<d1>+32], <r5>;
bra.uni <done>;
)";
/// Where there is no room in what the lanes hold, they hold other chunks, which the record goes to, or else
/// the recorder sees to it.
constexpr std::string_view holdOthers = R"(
<otherwise>:
<hold anew>
mov.b64 {%cuihn, %cuihr}, <d1>;
<room for it>
<distance fits>
selp.b32 <r4>, %cuihn, 0, <leads>;
redux.sync.or.b32 <r4>, <r4>, <m>;
vote.sync.all.pred <q1>, <q1>, <m>;
@<q1> bra <ready>;
<keep nothing>
<record>
mov.b64 {%cuihn, %cuihr}, <d1>;
mov.u32 <counted>, 0;
bra.uni <done>;
)";

/// Also of a part of the lanes that followed a rule: those that come are where they were then. A lane keeps
/// nothing where not all followed it, so that those that agree all kept the same.
constexpr std::string_view keepLine = R"(
add.s32 <keeps place>, <r2>, <r5>;
not.b32 <r7>, <keeps place>;
selp.b32 <keeps place>, <keeps place>, <r7>, <whole>;
mov.u32 <keeps distance>, <r6>;
mov.u32 <keeps rows>, 0;
)";
constexpr std::string_view keepRows = R"(
add.s32 <keeps place>, <r2>, <r5>;
mov.u32 <keeps distance>, <r6>;
mov.u32 <keeps rows>, <r3>;
)";
constexpr std::string_view keepNothing = R"(
add.s32 <r7>, <r2>, <r5>;
not.b32 <keeps place>, <r7>;
)";
constexpr std::string_view writeAsBefore = R"(
setp.eq.and.s32 <q0>, <r0>, <asks place>, <q1>;
vote.sync.all.pred <q0>, <q0>, <m>;
@!<q0> bra <ask>;
mov.u32 <r2>, <r0>;
mov.u32 <r3>, <asks rows>;
mov.u32 <r4>, %cuihn;
popc.b32 <r7>, <m>;
setp.eq.s32 <q2>, <r7>, 1;
selp.b32 <r6>, 0, <asks distance>, <q2>;
setp.eq.s32 <q2>, <asks rows>, 0;
selp.b32 <r5>, <shape of line>, <shape of rows>, <q2>;
<write header>
)";
constexpr std::string_view writeHeader = R"(
ld.const.u64 <d0>, [<state>+<pool at>];
mad.wide.u32 <d0>, <r4>, 32, <d0>;
or.b32 <r7>, %cuihwarp, <shape>;
prmt.b32 <r7>, <r7>, %cuihr, <tag above>;
ld.const.u32 <r8>, [<state>+<first site at>];
add.s32 <r8>, <r8>, <site>;
prmt.b32 <r8>, <r8>, %cuihr, <tag above>;
@<leads> st.global.v4.u32 [<d0>], {<r2>, <r3>, <mask>, <r7>};
@<leads> st.global.v4.u32 [<d0>+16], {<r8>, %cuihlaunch, %cuihblock, <r6>};
@<leads> add.s32 %cuihn, <r4>, <slots>;
@<leads> sub.s32 %cuihr, %cuihr, <room>;
add.s32 <counted>, <counted>, <one more>;
)";

constexpr std::string_view heldOperand = R"(
.reg .b64 %held;
mov.b64 %held, {%cuihn, %cuihr};
)";

}  // namespace cui::cli::in_place
