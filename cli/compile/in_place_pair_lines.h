// The PTX that stands in place of two calls, one behind the other, that the same lanes come to: what two
// accesses ask of other lanes stands together, and both records are written at once. in_place_text.cpp fills
// in words between < and >; those that begin with `2nd` are the second access's.
#pragma once

#include <string_view>

namespace cui::cli::in_place {

/// Two lines of a whole warp, or, where <unless whole> is nothing, two accesses of what has been accessed
/// before. <q0>, <2nd q0>: whether the one is, and the other.
constexpr std::string_view writePair = R"(
<room for it>
setp.ge.and.s32 <q1>, <2nd counted>, 0, <q1>;
<unless whole>
<question>
<2nd question>
vote.sync.all.pred <q0>, <q0>, <who>;
vote.sync.all.pred <2nd q0>, <2nd q0>, <who>;
and.pred <q2>, <q0>, <2nd q0>;
@!<q2> bra <one by one>;
<keep>
<2nd keep>
<words of both>
@<leads> st.global.v4.u32 [<d0>], {<r0>, <high half>, <m>, <r7>};
@<leads> st.global.v4.u32 [<d0>+16], {<r8>, %cuihlaunch, %cuihblock, <r6>};
@<leads> st.global.v4.u32 [<d0>+32], {<2nd r0>, <2nd high half>, <m>, <2nd r7>};
@<leads> st.global.v4.u32 [<d0>+48], {<2nd r8>, %cuihlaunch, %cuihblock, <2nd r6>};
@<leads> add.s32 %cuihn, %cuihn, 2;
@<leads> sub.s32 %cuihr, %cuihr, <room of two>;
<count both>
<both done>:
)";
/// To <d0> goes where the next slot is, to <r7>, <r8> and <2nd r7>, <2nd r8> what headers have beside
/// addresses.
constexpr std::string_view wordsOfBoth = R"(
ld.const.u64 <d0>, [<state>+<pool at>];
mad.wide.u32 <d0>, %cuihn, 32, <d0>;
or.b32 <r7>, %cuihwarp, <shape>;
or.b32 <2nd r7>, %cuihwarp, <2nd shape>;
prmt.b32 <r7>, <r7>, %cuihr, <tag above>;
prmt.b32 <2nd r7>, <2nd r7>, %cuihr, <tag above>;
ld.const.u32 <2nd r8>, [<state>+<first site at>];
add.s32 <r8>, <2nd r8>, <site>;
add.s32 <2nd r8>, <2nd r8>, <2nd site>;
prmt.b32 <r8>, <r8>, %cuihr, <tag above>;
prmt.b32 <2nd r8>, <2nd r8>, %cuihr, <tag above>;
)";
constexpr std::string_view countBoth = R"(
add.s32 <r7>, <lanes>, <one led>;
@<leads> add.s32 <counted>, <counted>, <r7>;
@<leads> add.s32 <2nd counted>, <2nd counted>, <r7>;
)";
constexpr std::string_view unlessWhole = R"(
@!<whole> bra <parts>;
)";
/// Behind the body. <2nd q2>: it is known that the second is none; no call of the recorder may come between.
constexpr std::string_view writeLinesOneByOne = R"(
<one by one>:
@!<q0> bra <first is none>;
<keep>
<write header>
<2nd room for it>
bra.uni <2nd otherwise>;
<first is none>:
not.pred <2nd q2>, <2nd q0>;
bra.uni <otherwise>;
<parts>:
mov.pred <2nd q2>, 0;
bra.uni <part>;
<first alone>
<done>:
<2nd room for it>
@<2nd q2> bra <2nd otherwise>;
<second alone>
<2nd done>:
bra.uni <both done>;
)";
/// Nor are the second's distances needed any more, which would be kept round calls.
constexpr std::string_view forgetNext = R"(
mov.pred <2nd q2>, 0;
mov.u32 <2nd r5>, 0;
mov.u32 <2nd r6>, 0;
)";
constexpr std::string_view writeAsBeforeOneByOne = R"(
<one by one>:
@!<q0> bra <again>;
<keep>
<write header>
bra.uni <2nd again>;
<first alone>
<done>:
<second as before>
bra.uni <both done>;
<second alone>
<2nd done>:
bra.uni <both done>;
)";

}  // namespace cui::cli::in_place
