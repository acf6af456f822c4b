// The PTX by which a kernel's lanes write what they access without asking each other (cuinstrument/format/
// lane_log.h), and of which logged_text.cpp puts together what stands in a call's place. The words of
// in_place_lines.h, and: %cuihlog is where the lane goes on, %cuihtag what all of its entries have in common,
// %cuihrows where its entries are in the pool's first row.
#pragma once

#include <string_view>

namespace cui::cli::in_place {

constexpr std::string_view findRows = R"(
ld.const.u64 %cuihrows, [<state>+<pool at>];
mad.wide.u32 %cuihrows, %cuihlane, <entry's bytes>, %cuihrows;
)";
constexpr std::string_view logBegins = R"(
shl.b32 %cuihtag, %cuihlaunch, <launch above>;
mov.u32 %cuihlog, 0;
<find rows>
)";
constexpr std::string_view logAway = R"(
st.local.v2.u32 [%away+<log away>], {%cuihlog, %cuihtag};
)";
constexpr std::string_view logBack = R"(
ld.local.v2.u32 {%cuihlog, %cuihtag}, [%away+<log away>];
)";

/// All lanes that come go on elsewhere together if one of them has no room, as each entry says who came. Who
/// has room is asked as who comes is: a vote of these lanes would cost a test for lanes that have parted.
constexpr std::string_view writeEntries = R"(
<again>:
<who has room>
@<q0> bra <no room>;
shr.u32 <r7>, %cuihlog, <row above>;
mad.wide.u32 <d0>, <r7>, <row's bytes>, %cuihrows;
<entries>
add.s32 %cuihlog, %cuihlog, <steps>;
add.s32 <r7>, <lanes>, <one led>;
<counts>
<done>:
)";
constexpr std::string_view whoHasRoom = R"(
and.b32 <r7>, %cuihlog, <left mask>;
setp.ge.u32 <q0>, <r7>, <rows>;
mov.u32 <r8>, 0;
@<q0> activemask.b32 <r8>;
setp.ne.s32 <q0>, <r8>, <m>;
)";
/// At <row> bytes from <d0>; <first> and <second> are words.
constexpr std::string_view writeEntry = R"(
add.s32 <r8>, %cuihtag, <entry>;
st.global.L1::no_allocate.v4.u32 [<d0>+<row>], {<first>, <second>, <m>, <r8>};
)";
constexpr std::string_view countEntry = R"(
@<leads> add.s32 <counted>, <counted>, <r7>;
)";

/// Behind the body.
constexpr std::string_view goOnElsewhere = R"(
<no room>:
<log anew>
<which of them>
<who has room>
@!<q0> bra <again>;
<records all>
bra.uni <done>;
)";
constexpr std::string_view logAnew = R"(
.reg .b64 %counts, %accesses;
cvt.u64.u32 %counts, %away;
cvta.local.u64 %counts, %counts;
add.s64 %counts, %counts, <counts away>;
mov.u64 %accesses, <accesses>;
cvta.global.u64 %accesses, %accesses;
)";
constexpr std::string_view recordInstead = R"(
<record>
mov.b64 {%cuihn, %cuihr}, <d1>;
mov.u32 <counted>, 0;
)";

}  // namespace cui::cli::in_place
