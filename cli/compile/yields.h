// Machine code of the recorder that keeps a warp's lanes as they are. ptxas puts a YIELD in front of atomics
// that return a value, and lets lanes that wait at the end of a branch go on alone, for good. A program whose
// lanes count on going in step then computes something else, and the others' requests are more than the
// hardware makes.
#pragma once

#include <string>

namespace cui::cli {

/// The recorder's code without YIELD in its functions: none waits for another lane of its warp, nor sleeps
/// (pauseFor() of cuinstrument/backend/cuda/ring.h), which has the same effect. Code in which that is not all
/// there is of a function (from compute capability 10.0 on, a second form that nobody describes) stays as it
/// is. Throws Error (no), as cubin.h.
std::string withoutYields(std::string code);

}  // namespace cui::cli
