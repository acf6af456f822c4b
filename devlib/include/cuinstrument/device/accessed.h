// Accesses that are recorded together: of an expression, or of a loop.
#pragma once

namespace cui {

/// Beside a site's number, which has 24 bits: the calling block accesses this as all blocks of its grid do,
/// and stands for them (device/alike.h).
constexpr unsigned forAllBlocks = 1u << 31;

/// One of several of an expression.
struct Accessed {
  unsigned site;
  unsigned bytes;
  const volatile void* address;
};

/// Where an access of a loop is, the first time round, the second and the last.
struct LoopPlace {
  const volatile void *cuiFirst, *cuiSecond, *cuiLast;
  unsigned site, bytes;
};

}  // namespace cui
