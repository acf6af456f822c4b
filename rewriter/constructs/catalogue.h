// The constructs' factories: what constructs.def names. Each is defined in the construct's own file.
#pragma once

#include "constructs/construct.h"

namespace cui::constructs {

#define CUI_CONSTRUCT(factory) std::unique_ptr<Construct> factory();
#include "constructs/constructs.def"

}  // namespace cui::constructs
