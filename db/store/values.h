// Names of the format's enumerations, and recorded values as SQL values.
#pragma once

#include <cstdint>
#include <string_view>

#include "cuinstrument/format/record.h"
#include "db/store/value.h"

namespace cui::db {

const char* nameOf(format::Space space);
const char* nameOf(format::Kind kind);
const char* nameOf(format::Status status);

enum class ValueType : std::uint8_t { bytes, signedInteger, unsignedInteger, real, half, bfloat16 };

/// From a site's type as written; `templateContext` ("T=float | T=int") resolves a template parameter if
/// all instantiations agree.
ValueType valueTypeOf(std::string_view type, std::string_view templateContext);

/// A lane's `count` bytes: a number where the type is arithmetic (text 'NaN', 'Inf', '-Inf' where SQL has no
/// such number), else the bytes as they are, which are not copied.
Value valueOf(ValueType type, const std::uint8_t* data, std::uint32_t count);

}  // namespace cui::db
