// Relocatable machine code of a unit and of the recorder as one file: what ptxas would have made of both
// together, to be placed by the program's own link. nvlink can only join what it also places (`nvlink -r`),
// so this is done here. The unit's part stays as it is, but for its symbols of the recorder's functions,
// which are defined now; what is added is the recorder's, of which everything is known.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// Throws Error (no) where a file has anything that is not known here.
std::string joinedCode(std::string_view unit, std::string_view recorder);

}  // namespace cui::cli
