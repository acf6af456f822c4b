// The PTX of in_place_lines.h that differs by an access's space: in shared memory addresses are words,
// elsewhere they have two halves.
#pragma once

#include <string_view>

namespace cui::cli::in_place {

/// To <r0>, <r1> go the halves of the lane's address.
constexpr std::string_view inShared = R"(
cvt.u32.u64 <r0>, <address>;
mov.u32 <r1>, 0;
)";
constexpr std::string_view anywhere = R"(
mov.b64 {<r0>, <r1>}, <address>;
)";
constexpr std::string_view firstsHalf = R"(
shfl.sync.idx.b32 <r3>, <r1>, 0, 31, -1;
)";
constexpr std::string_view partsHalf = R"(
selp.b32 <r3>, <r1>, 0, <leads>;
redux.sync.or.b32 <r3>, <r3>, <m>;
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
/// To <r5>, too. Distances beyond a word have no form here.
constexpr std::string_view distanceFits = R"(
mov.b64 {<r5>, <r8>}, <d0>;
shr.s32 <r7>, <r5>, 31;
setp.eq.s32 <q1>, <r7>, <r8>;
vote.sync.all.pred <q1>, <q1>, <who>;
@!<q1> bra <too far>;
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

}  // namespace cui::cli::in_place
