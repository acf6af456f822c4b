// Going on on another stack, and coming back.
//
// On x86-64 by instructions of our own, which leave the prediction of returns right for the functions around
// them (Boost's routine is called and leaves by a jump: each return after a switch is then mispredicted),
// save only what is in use, and leave alone the modes of floating point, which are one thread's on all its
// stacks. Elsewhere, and where the processor checks returns (CET), by Boost.Context's.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__) || (defined(__CET__) && (__CET__ & 2))
#include <boost/context/detail/fcontext.hpp>
#define CUI_BOOST_SWITCHES 1
#endif

namespace cui::cpu {

/// Where to go on.
struct StackContext {
#if defined(CUI_BOOST_SWITCHES)
  boost::context::detail::fcontext_t place = nullptr;
#else
  std::uintptr_t instruction = 0, stack = 0, frame = 0;
#endif
};

/// Runs first on a new stack; never returns.
void enterNewStack();

#if defined(CUI_BOOST_SWITCHES)

/// The context that was left is known only to the one that goes on.
inline void saveLeft(boost::context::detail::transfer_t left) {
  static_cast<StackContext*>(left.data)->place = left.fctx;
}
inline void enterNewStackFrom(boost::context::detail::transfer_t left) {
  saveLeft(left);
  enterNewStack();
}

/// Saves the running context to `from` and goes on in `to`; returns when somebody goes on in `from`.
inline void switchStack(StackContext& from, const StackContext& to) {
  saveLeft(boost::context::detail::jump_fcontext(to.place, &from));
}

/// What begins with enterNewStack() on the stack [bottom, top).
inline StackContext makeStack(char* bottom, char* top) {
  return {
      boost::context::detail::make_fcontext(top, static_cast<std::size_t>(top - bottom), enterNewStackFrom)};
}

#else

inline __attribute__((always_inline)) void switchStack(StackContext& from, const StackContext& to) {
  StackContext* left = &from;
  const StackContext* next = &to;
  __asm__ volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rax, (%[left])\n\t"
      "movq %%rsp, 8(%[left])\n\t"
      "movq %%rbp, 16(%[left])\n\t"
      "movq 8(%[next]), %%rsp\n\t"
      "movq 16(%[next]), %%rbp\n\t"
      "jmpq *(%[next])\n"
      "1:"
      : [left] "+D"(left), [next] "+S"(next)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15", "memory", "cc");
}

inline StackContext makeStack(char*, char* top) {
  constexpr std::uintptr_t alignment = 16;
  // A function finds the address to return to at an odd multiple of eight: 0 ends a debugger's walk.
  char* const entry = top - reinterpret_cast<std::uintptr_t>(top) % alignment - sizeof(std::uintptr_t);
  *reinterpret_cast<std::uintptr_t*>(entry) = 0;
  return {reinterpret_cast<std::uintptr_t>(&enterNewStack), reinterpret_cast<std::uintptr_t>(entry), 0};
}

#endif

}  // namespace cui::cpu
