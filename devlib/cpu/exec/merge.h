// Turns the logs of a warp's lanes into warp accesses: which lanes made an access together.
//
// The rule (README.md says why): while all lanes are at the same access they go together. Otherwise the
// lanes that are behind go first: an access that still lies ahead in another lane's log means that that
// lane is behind. If that says nothing, or says both, deeper calls go first, then smaller site numbers.
#pragma once

#include <cstdint>
#include <memory>

#include "encode.h"
#include "warp_logs.h"

namespace cui::cpu {

class Lookahead;

class Merger {
 public:
  Merger();
  ~Merger();

  /// Merges as far as the rule can tell and moves the logs' heads. `running`: lanes that can still log
  /// more; merging stops when one of them has nothing left, since its next access is unknown.
  /// `starved`: lanes that must get on whatever the rule says. Returns the lanes that lost entries.
  std::uint32_t merge(WarpLogs& logs, std::uint32_t running, std::uint32_t starved, Encoder& encoder);

 private:
  std::unique_ptr<Lookahead> lookahead_;  ///< kept because it is large
};

}  // namespace cui::cpu
