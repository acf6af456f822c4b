// The textual inverse of instrumentation.
//
// strip() knows the grammar of the CUI_ forms (forms.def) and nothing of any plan: that it gives back the
// input is therefore evidence that the rewriter only inserted.
#pragma once

#include <string>
#include <string_view>

namespace cui::edit {

/// The original of an instrumented main file or mirrored header; any other text comes back as it is.
std::string strip(std::string_view instrumented);

}  // namespace cui::edit
