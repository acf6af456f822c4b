// One of several accesses that are recorded together.
#pragma once

namespace cui {

struct Accessed {
  unsigned site;
  unsigned bytes;
  const volatile void* address;
};

}  // namespace cui
