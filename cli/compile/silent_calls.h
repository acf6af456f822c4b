// Calls of the recorder, where it does nothing (plain_code.h, plain_kernels.h). Its functions are empty
// there, which ptxas would find out; but of a call's twenty lines it reads each, and moves values to where
// they are asked for, before it does.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cui::cli {

/// A body without those of its calls that return nothing and are of one of these functions.
std::string withoutCalls(std::string_view body, const std::set<std::string_view>& functions);

/// The recorder's functions that are defined elsewhere.
std::set<std::string_view> recordersExterns(std::string_view ptx);

}  // namespace cui::cli
