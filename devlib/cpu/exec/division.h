// Integer divisions that trap on this processor and give a number on a GPU: by zero all bits are ones, of the
// quotient and of the remainder, and the smallest number by -1 is itself.
#pragma once

#include <ucontext.h>
#include <csignal>

namespace cui::cpu {

/// For a SIGFPE at a division: the result, and the program counter behind it. False, and nothing is changed,
/// if the instruction there is no division of integers, or on another processor than x86-64.
bool finishDivision(ucontext_t& context);

}  // namespace cui::cpu
