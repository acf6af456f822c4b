// Questions of the recorder's to other lanes whose answers are the same each time round a loop: of all
// accesses of an inner loop (recordGatheredLoop()), each lane's address is compared with the others', and a
// tiled product's are of the same places of shared memory in each of its tiles: 26 shuffles, 200
// instructions.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// What stands in front of lines that are run once only. A comment.
constexpr std::string_view runOnce = "\t// cuiOnce";

/// A kernel's body, in which the mode is known, with such lines run the first time only: what they come to is
/// in the lane's own memory. `state`: the unit's, which has a word that is 0.
std::string withAnswersKept(std::string_view body, std::string_view state);

}  // namespace cui::cli
