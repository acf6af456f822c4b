// How a kernel that writes its records itself (cli/compile/in_place_text.cpp) keeps its lanes' chunks and
// counts in registers, as it and the recorder's functions agree on it. Depends on nothing.
#pragma once

namespace cui {
namespace format {

/// Bytes in front of a unit's word that says where the pool begins.
constexpr unsigned poolAt = 40;

/// Of a lane's chunk: its next slot, and above that (room << heldRoomShift | heldLarge | the tag of its
/// records), which is 0 if it holds none.
constexpr unsigned heldRoomShift = 9;
/// The chunk is a large one, which lanes of a sample's blocks have.
constexpr unsigned heldLarge = 1u << 8;
/// A kernel's records take one slot, or as many.
constexpr unsigned mostHeldSlots = 5;

/// Of a site, by lane: how many lanes took part in the records that it led | how many these are << ledShift.
/// While the highest bit is not set there is room for another one.
constexpr unsigned ledShift = 19;
constexpr unsigned fullCount = 1u << 31;

}  // namespace format
}  // namespace cui
