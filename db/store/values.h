// Names of the format's enumerations, and recorded values as SQL values.
#pragma once

#include <cstdint>

#include "cuinstrument/format/record.h"
#include "db/store/value.h"
#include "db/store/value_types.h"

namespace cui::db {

const char* nameOf(format::Space space);
const char* nameOf(format::Kind kind);
const char* nameOf(format::Status status);

/// A lane's `count` bytes: a number where the type is arithmetic (text 'NaN', 'Inf', '-Inf' where SQL has no
/// such number), else the bytes as they are, which are not copied.
Value valueOf(ValueType type, const std::uint8_t* data, std::uint32_t count);

}  // namespace cui::db
