// The textual inverse of instrumentation.
//
// strip() knows the grammar of the CUI_ forms (forms.def) and nothing of any plan: that it gives back the
// input is therefore evidence that the rewriter only inserted.
#pragma once

#include <string>
#include <string_view>

namespace cui::edit {

/// Goes in front of the preamble of a unit in which a kernel has very many sites: they are compiled
/// compactly, unless CUI_COMPACT_SITES says otherwise.
inline constexpr std::string_view manySitesLine = "#define CUI_MANY_SITES\n";

/// The original of an instrumented main file or mirrored header; any other text comes back as it is.
std::string strip(std::string_view instrumented);

}  // namespace cui::edit
