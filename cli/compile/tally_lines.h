// The PTX of which tally_text.cpp puts together what adds up an access, and what ends a tally. Words between
// < and > are filled in there.
#pragma once

#include <array>
#include <string_view>

namespace cui::cli::tally_lines {

// In the texts: <n> accesses of the lane | requests that it led << 16, <c> what these cost, <a> and <b>
// halves of the addresses of its first and last place, <w> the other half, ~0 before there is one; %cuil the
// lanes below; <q0> and on and <r0> and on the access's own.

constexpr std::string_view empty = R"(
mov.u32 <n>, 0;
mov.u32 <a>, -1;
mov.u32 <b>, 0;
mov.u32 <w>, <no window>;
mov.u<cost bits> <c>, 0;
)";

/// What it takes of the memory for that (memoryAway()), at <away>, behind the word that says which lanes are
/// below.
constexpr unsigned bytesAway = 32;
constexpr std::string_view tallyAway = R"(
st.local.v4.u32 [%away+<away>], {<n>, <a>, <b>, <w>};
st.local.u<cost bits> [%away+<cost away>], <c>;
)";
constexpr std::string_view tallyBack = R"(
ld.local.v4.u32 {<n>, <a>, <b>, <w>}, [%away+<away>];
ld.local.u<cost bits> <c>, [%away+<cost away>];
)";
constexpr std::string_view laneAway = "st.local.u32 [%away], %cuil;\n";
constexpr std::string_view laneBack = "ld.local.u32 %cuil, [%away];\n";
constexpr unsigned firstAway = 16;

/// Who comes.
constexpr std::string_view comers = R"(
activemask.b32 <r0>;
)";
/// Whether the lane's tally takes its access: then <r3> is 0. There is room for 2^15 of them, and a few more.
constexpr std::string_view question = R"(
mov.b64 {<r1>, <r2>}, <address>;
and.b32 <r3>, <n>, 32768;
and.b32 <r4>, <r1>, <last byte>;
or.b32 <r3>, <r3>, <r4>;
)";
/// All of who comes in one window, which is that of the lane's tally, too, or else of none.
constexpr std::string_view windowQuestion = R"(
redux.sync.or.b32 <r5>, <r2>, <r0>;
setp.eq.s32 <q0>, <w>, -1;
selp.b32 <w>, <r2>, <w>, <q0>;
xor.b32 <r4>, <w>, <r2>;
or.b32 <r3>, <r3>, <r4>;
xor.b32 <r4>, <r5>, <r2>;
or.b32 <r3>, <r3>, <r4>;
)";
constexpr std::string_view answer = R"(
setp.eq.s32 <q1>, <r3>, 0;
)";

/// Of words less than 64 behind where the first one's row of the banks begins, the next row's and this one's
/// have a bit each, of <r9> and <r10>; <r6>: how many it is. Whatever else is aligned, a function takes.
constexpr std::string_view rows = R"(
and.b32 <r6>, <r1>, -128;
redux.sync.min.u32 <r6>, <r6>, <r0>;
sub.s32 <r6>, <r1>, <r6>;
shr.u32 <r6>, <r6>, 2;
shl.b64 <wide>, 1, <r6>;
mov.b64 {<r9>, <r10>}, <wide>;
redux.sync.or.b32 <r9>, <r9>, <r0>;
redux.sync.or.b32 <r10>, <r10>, <r0>;
)";
constexpr std::string_view twoRows = R"(
setp.lt.and.u32 <q2>, <r6>, 64, <q1>;
vote.sync.all.pred <q3>, <q2>, <r0>;
@!<q3> bra <elsewhere>;
)";
constexpr std::string_view costOfRows = R"(
and.b32 <r9>, <r9>, <r10>;
setp.ne.s32 <q4>, <r9>, 0;
selp.b32 <cost>, 2, 1, <q4>;
)";
/// Of places less than 32 behind the first one, and of their sectors, each has a bit. Others are `apart`.
constexpr std::string_view sectors = R"(
redux.sync.min.u32 <r6>, <r1>, <r0>;
sub.s32 <r7>, <r1>, <r6>;
setp.lt.and.u32 <q2>, <r7>, <32 places>, <q1>;
vote.sync.all.pred <q3>, <q2>, <r0>;
@!<q3> bra <elsewhere>;
mov.u32 <r8>, 1;
shr.u32 <r7>, <r7>, <log bytes>;
shl.b32 <r9>, <r8>, <r7>;
redux.sync.or.b32 <r9>, <r9>, <r0>;
popc.b32 <r9>, <r9>;
shr.u32 <r6>, <r6>, 5;
shr.u32 <r7>, <r1>, 5;
sub.s32 <r7>, <r7>, <r6>;
shl.b32 <r10>, <r8>, <r7>;
redux.sync.or.b32 <r10>, <r10>, <r0>;
popc.b32 <r10>, <r10>;
<add>:
shl.b32 <r6>, <r9>, <log ideal>;
add.s32 <r6>, <r6>, <round up>;
and.b32 <r6>, <r6>, <ideal mask>;
or.b32 <r10>, <r10>, <r6>;
shl.b32 <r9>, <r9>, <places bits>;
mov.b64 <cost>, {<r10>, <r9>};
)";
/// Places anywhere. To <r9> go different places, to <r10> different sectors. Of places less than 128 behind
/// the first one, in less than 32 sectors, each has a bit of four words, as have the next levels of a tree;
/// of those in less than 2^askedBits sectors each bit is asked for. <r6> and <r7> are those of `sectors`.
constexpr std::string_view apart = R"(
<elsewhere>:
vote.sync.all.pred <q3>, <q1>, <r0>;
@!<q3> bra <other>;
setp.lt.u32 <q2>, <r7>, <128 places>;
vote.sync.all.pred <q3>, <q2>, <r0>;
@!<q3> bra <far>;
shr.u32 <r6>, <r6>, 5;
shr.u32 <r8>, <r1>, 5;
sub.s32 <r6>, <r8>, <r6>;
mov.u32 <r8>, 1;
shl.b32 <r10>, <r8>, <r6>;
redux.sync.or.b32 <r10>, <r10>, <r0>;
popc.b32 <r10>, <r10>;
shr.u32 <r7>, <r7>, <log bytes>;
shl.b32 <r9>, <r8>, <r7>;
redux.sync.or.b32 <r9>, <r9>, <r0>;
popc.b32 <r9>, <r9>;
<further places>
bra.uni <add>;
<far>:
shr.u32 <r9>, <r6>, 5;
shr.u32 <r8>, <r1>, 5;
sub.s32 <r8>, <r8>, <r9>;
setp.lt.u32 <q2>, <r8>, <asked sectors>;
vote.sync.all.pred <q3>, <q2>, <r0>;
@!<q3> bra <farther>;
mov.u32 <r6>, <r0>;
<bits of sectors>
popc.b32 <r9>, <r0>;
setp.eq.s32 <q2>, <r9>, <r10>;
@<q2> bra <add>;
<bits of places>
bra.uni <add>;
<farther>:
)";
/// Of places in so many sectors behind the first one's, which lanes have the same sector, and then the same
/// place in it, is asked bit by bit: these questions wait for none of the others.
constexpr unsigned askedBits = 8;
/// Of who has the same bits so far, <r6>, who has the same of that one, too.
constexpr std::string_view bitQuestion = R"(
and.b32 <r7>, <number>, <bit>;
setp.ne.s32 <q2>, <r7>, 0;
vote.sync.ballot.b32 <r9>, <q2>, <r0>;
selp.b32 <r7>, 0, -1, <q2>;
xor.b32 <r9>, <r9>, <r7>;
and.b32 <r6>, <r6>, <r9>;
)";
/// How many lanes are the lowest one of those that have the same, <r6>.
constexpr std::string_view different = R"(
and.b32 <r7>, <r6>, %cuil;
setp.eq.s32 <q2>, <r7>, 0;
vote.sync.ballot.b32 <count>, <q2>, <r0>;
popc.b32 <count>, <count>;
)";
constexpr std::string_view furtherPlaces = R"(
sub.s32 <r7>, <r7>, 32;
shl.b32 <r6>, <r8>, <r7>;
redux.sync.or.b32 <r6>, <r6>, <r0>;
popc.b32 <r6>, <r6>;
add.s32 <r9>, <r9>, <r6>;
)";
/// Others a whole warp sorts; a part asks which lanes have the same.
constexpr std::string_view far = R"(
setp.eq.s32 <q2>, <r0>, -1;
@<q2> bra <whole>;
shr.u32 <r6>, <r1>, 5;
match.any.sync.b32 <r6>, <r6>, <r0>;
<different sectors>
popc.b32 <r9>, <r0>;
setp.eq.s32 <q2>, <r9>, <r10>;
@<q2> bra <add>;
match.any.sync.b32 <r6>, <r1>, <r0>;
<different places>
bra.uni <add>;
<whole>:
mov.u32 <r6>, <r1>;
mov.u32 <r7>, %laneid;
)";
/// Of the sort: of two lanes, whose numbers differ in the bits of `<others>`, the one that has the highest of
/// these takes the greater word.
constexpr std::string_view sortStep = R"(
shfl.sync.bfly.b32 <r8>, <r6>, <others>, 31, -1;
min.u32 <r9>, <r6>, <r8>;
max.u32 <r10>, <r6>, <r8>;
selp.b32 <r6>, <r10>, <r9>, <has bit>;
)";
constexpr std::string_view sortBit = R"(
and.b32 <r8>, <r7>, <bit>;
setp.ne.s32 <has bit>, <r8>, 0;
)";
/// A predicate for each bit of a lane's number.
constexpr std::array<std::string_view, 5> hasBit = {"<q0>", "<q2>", "<q3>", "<q4>", "<q5>"};
constexpr std::string_view sorted = R"(
shfl.sync.up.b32 <r8>, <r6>, 1, 0, -1;
xor.b32 <r8>, <r8>, <r6>;
setp.eq.s32 <q2>, <r7>, 0;
selp.b32 <r8>, -1, <r8>, <q2>;
setp.ne.s32 <q2>, <r8>, 0;
setp.gt.u32 <q3>, <r8>, 31;
vote.sync.ballot.b32 <r9>, <q2>, -1;
vote.sync.ballot.b32 <r10>, <q3>, -1;
popc.b32 <r9>, <r9>;
popc.b32 <r10>, <r10>;
bra.uni <add>;
)";
/// The lowest lane leads.
constexpr std::string_view leader = R"(
and.b32 <r4>, <r0>, %cuil;
setp.eq.s32 <q5>, <r4>, 0;
selp.b32 <r5>, 65537, 1, <q5>;
)";
constexpr std::string_view addition = R"(
add.s32 <n>, <n>, <r5>;
@<q5> add.s<cost bits> <c>, <c>, <cost>;
min.u32 <a>, <a>, <r1>;
max.u32 <b>, <b>, <r1>;
)";
constexpr std::string_view askForWavefronts = R"(
vote.sync.all.pred <q3>, <q1>, <r0>;
@!<q3> bra <other>;
<ask for wavefronts>
)";
/// Of accesses that the same lanes make one after the other, all is asked before any answer is waited for.
/// <r0>, <r5>, <q1>, <q5> and labels are the first one's then, the others' own are as above.
constexpr std::string_view nextQuestion = R"(
or.b32 <first r3>, <first r3>, <r3>;
)";
constexpr std::string_view nextTwoRows = R"(
setp.lt.and.u32 <q1>, <r6>, 64, <q1>;
)";
constexpr std::string_view allInTwoRows = R"(
vote.sync.all.pred <q3>, <q1>, <r0>;
@!<q3> bra <elsewhere>;
)";
constexpr std::string_view costsOperand = R"(
.reg .b64 %costs;
<widen> %costs, <c>;
)";

}  // namespace cui::cli::tally_lines
