// The textual inverse of instrumentation.
//
// strip() knows the grammar of the CUI_ forms (forms.def) and nothing of any plan: that it gives back the
// input is therefore evidence that the rewriter only inserted.
#pragma once

#include <string>
#include <string_view>

namespace cui::edit {

// What may go in front of the preamble, in this order.
/// In a unit in which a kernel has very many sites: they are compiled compactly, unless CUI_COMPACT_SITES
/// says otherwise.
inline constexpr std::string_view manySitesLine = "#define CUI_MANY_SITES\n";
/// Behind that: such a kernel keeps much in registers.
inline constexpr std::string_view manyRegistersLine = "#define CUI_MANY_REGISTERS\n";
/// Of these a kernel has a thousand or more: where the recorder is linked the branch is left out all the
/// same.
inline constexpr std::string_view veryManySitesLine = "#define CUI_VERY_MANY_SITES\n";
/// What is private to a thread is recorded, too.
inline constexpr std::string_view localArraysLine = "#define CUI_LOCAL_ARRAYS\n";
/// The program has a macro of that name: forms are to do without the word.
inline constexpr std::string_view withoutAutoLine = "#define CUI_WITHOUT_AUTO\n";
/// Beginnings of lines, two for each macro of the command line's.
inline constexpr std::string_view pushMacro = "#pragma push_macro(\"";
inline constexpr std::string_view undefineMacro = "#undef ";

/// Device functions call themselves, or each other: nvcc does not know the stack of their kernels.
inline constexpr std::string_view recursiveLine = "#define CUI_RECURSIVE\n";

/// The original of an instrumented main file or mirrored header; any other text comes back as it is.
std::string strip(std::string_view instrumented);

}  // namespace cui::edit
