// What stands for words of in_place_lines.h and its kin, by what an access is: its space,
// whether a rule is kept, and the header that its record begins with. For in_place_text.cpp and
// in_place_pair_text.cpp.
#pragma once

#include <string>
#include <string_view>

#include "cli/compile/in_place_text.h"
#include "cuinstrument/format/record.h"

namespace cui::cli::in_place {

inline std::string number(unsigned value) {
  return std::to_string(value);
}

/// A header's text, with what it takes of the chunk.
struct Header {
  std::string_view shape;
  std::string_view highHalf = "<r1>";  ///< of the address
  std::string_view mask = "<m>";       ///< what stands in its place
  bool hasTable = false;               ///< behind it
};
constexpr Header ofLine{"<shape of line>"}, asBefore{"<r5>", "<asks rows>"};
std::string withHeader(std::string_view text, const Header& header);

/// Other chunks for the lanes, with so many slots for the one that leads: what they hold goes to <d1>.
std::string holdText(const std::string& slots);

bool isOfShared(const WrittenAccess& access);
/// To words, the address's halves.
std::string_view addressOf(const WrittenAccess& access);

/// In a header, what an access is in that form.
std::string shapeOf(const WrittenAccess& access, format::AddressForm form);

/// With what depends on the space, and on whether a rule is kept.
std::string ofAccess(std::string_view text, const WrittenAccess& access);

/// Of a text's words: those of the second access of a pair.
std::string ofSecond(std::string_view text);

}  // namespace cui::cli::in_place
