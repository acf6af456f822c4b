// Fibers: stacks with guard pages, and switching between them.
//
// One FiberPool belongs to one OS thread, whose own stack is the pool's scheduler. A fiber is a resource,
// not a CUDA thread: it runs lanes to completion one after another and is given up only when a lane has
// to wait, so that kernels that never wait need one. Works under AddressSanitizer and ThreadSanitizer,
// which are found at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stack_switch.h"

// The sanitizers' fiber interface, present only in programs built with them.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
__attribute__((weak)) void __sanitizer_start_switch_fiber(void** fakeStackSave, const void* bottom,
                                                          std::size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void* fakeStackSave, const void** bottomOld,
                                                           std::size_t* sizeOld);
__attribute__((weak)) void* __tsan_get_current_fiber(void);
__attribute__((weak)) void* __tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_destroy_fiber(void* fiber);
__attribute__((weak)) void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace cui::cpu {

/// Lies at the upper end of its own stack: one page fewer to touch when it is resumed.
class Fiber {
 public:
  /// Stack pointer at the body's entry into device code, kept by the body's owner.
  std::uintptr_t stackBase = 0;
  /// Upper end of what its frames may use.
  char* top() const { return top_; }
  /// Brings in what resuming it touches, if it stopped as deep in its stack as `running` is now: a block's
  /// stacks do not fit into the first-level cache, nor do their pages into its table.
  void prefetchLike(const Fiber& running) const {
    const char* const self = reinterpret_cast<const char*>(this);
    const std::ptrdiff_t depth =
        reinterpret_cast<const char*>(&running) - static_cast<const char*>(__builtin_frame_address(0));
    __builtin_prefetch(self);
    for (std::ptrdiff_t line = 0; line < 4; ++line) __builtin_prefetch(self - depth - 64 * line);
  }

 private:
  friend class FiberPool;
  StackContext context_;       ///< where to resume
  char* stack_ = nullptr;      ///< lower end
  char* top_ = nullptr;        ///< upper end of what frames may use
  void* fakeStack_ = nullptr;  ///< AddressSanitizer's
  void* tsanFiber_ = nullptr;  ///< ThreadSanitizer's
};

class FiberPool {
 public:
  using Body = void (*)(void* owner);

  /// `body(owner)` is what every fiber runs; it never returns. The process's first pools have guard pages; a
  /// cooperative grid's hundreds have not: each page would be a mapping, of which a process has 65,530.
  FiberPool(std::size_t stackBytes, Body body, void* owner);
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// A fiber at the start of its body, or where it was when it was given back.
  Fiber* take() {
    if (idle_.empty()) return create();
    Fiber* fiber = idle_.back();
    idle_.pop_back();
    return fiber;
  }
  /// Puts back a fiber that can be resumed for something else.
  void give(Fiber* fiber) { idle_.push_back(fiber); }
  /// Puts back a fiber in the middle of its work: what is on its stack is forgotten, not unwound.
  void abandon(Fiber* fiber) {
    prepare(fiber);
    idle_.push_back(fiber);
  }

  Fiber* current() const { return current_; }
  Fiber* scheduler() { return &scheduler_; }
  const Fiber* scheduler() const { return &scheduler_; }

  /// Leaves the running fiber (or the scheduler) and goes on in `to`; returns when it is resumed itself.
  __attribute__((always_inline)) void switchTo(Fiber* to) {
    Fiber* from = current_;
    current_ = to;
    if (__sanitizer_start_switch_fiber) [[unlikely]]
      __sanitizer_start_switch_fiber(&from->fakeStack_, to->stack_,
                                     static_cast<std::size_t>(to->top_ - to->stack_));
    if (__tsan_switch_to_fiber) [[unlikely]] {
      if (from == &scheduler_) scheduler_.tsanFiber_ = __tsan_get_current_fiber();
      __tsan_switch_to_fiber(to->tsanFiber_, 0);
    }
    switchStack(from->context_, to->context_);
    arrived(from);
  }

  /// Whether `address` lies in any stack of the pool.
  bool ownsAddress(std::uintptr_t address) const { return address - arenaAddress_ < arenaBytes_; }
  bool meetsAddresses(std::uintptr_t lowest, std::uintptr_t highest) const {
    return lowest < arenaAddress_ + arenaBytes_ && highest >= arenaAddress_;
  }
  /// Whether it is where a stack that overflows goes.
  bool inGuardPage(std::uintptr_t address) const;

 private:
  /// First thing after a switch; null: on a new stack.
  static void arrived(Fiber* self) {
    if (__sanitizer_finish_switch_fiber) [[unlikely]]
      __sanitizer_finish_switch_fiber(self == nullptr ? nullptr : self->fakeStack_, nullptr, nullptr);
  }
  friend void enterNewStack();
  void prepare(Fiber* fiber);
  Fiber* create();

  bool guarded_;
  std::size_t stackBytes_;  ///< usable bytes
  std::size_t slotBytes_;   ///< stack and guard page
  Body body_;
  void* owner_;
  char* arena_ = nullptr;  ///< all stacks, one after another …
  std::uintptr_t arenaAddress_ = 0;
  std::size_t arenaBytes_ = 0;
  std::vector<Fiber*> fibers_;
  std::vector<Fiber*> idle_;
  Fiber scheduler_;
  Fiber* current_ = &scheduler_;
};

}  // namespace cui::cpu
