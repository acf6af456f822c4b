#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

// The sanitizers' fiber interface, present only in programs built with them.
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

namespace cui::cpu {

namespace {
constexpr std::size_t maxFibers = 1024;  // a block's threads
const std::size_t pageBytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}  // namespace

FiberPool::FiberPool(std::size_t stackBytes, Body body, void* owner) : body_(body), owner_(owner) {
  stackBytes_ = (stackBytes + pageBytes - 1) / pageBytes * pageBytes;
  slotBytes_ = stackBytes_ + pageBytes;
  arenaBytes_ = slotBytes_ * maxFibers;
  // Address space only; pages appear when touched. Inaccessible until a stack is cut out of it.
  void* arena = mmap(nullptr, arenaBytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) {
    std::fprintf(stderr,
                 "cuinstrument: cannot reserve %zu MiB of address space for thread stacks: lower "
                 "CUINSTRUMENT_CPU_STACK_KB\n",
                 arenaBytes_ >> 20);
    std::abort();
  }
  arenaBegin_ = reinterpret_cast<std::uintptr_t>(arena);
}

FiberPool::~FiberPool() {
  if (__tsan_destroy_fiber)
    for (auto& fiber : fibers_)
      if (fiber->tsanFiber_) __tsan_destroy_fiber(fiber->tsanFiber_);
  munmap(reinterpret_cast<void*>(arenaBegin_), arenaBytes_);
}

void FiberPool::prepare(Fiber* fiber) {
  fiber->context_ = make_fcontext(fiber->top_, static_cast<std::size_t>(fiber->top_ - fiber->stack_), entry);
  fiber->fakeStack_ = nullptr;
  if (__tsan_create_fiber) {
    if (fiber->tsanFiber_) __tsan_destroy_fiber(fiber->tsanFiber_);
    fiber->tsanFiber_ = __tsan_create_fiber(0);
  }
}

Fiber* FiberPool::take() {
  if (!idle_.empty()) {
    Fiber* fiber = idle_.back();
    idle_.pop_back();
    return fiber;
  }
  const std::size_t index = fibers_.size();
  auto fiber = std::make_unique<Fiber>();
  fiber->stack_ = reinterpret_cast<char*>(arenaBegin_ + index * slotBytes_ + pageBytes);
  if (mprotect(fiber->stack_, stackBytes_, PROT_READ | PROT_WRITE) != 0) {
    std::fprintf(stderr, "cuinstrument: out of memory for the stack of device thread %zu of a block\n",
                 index);
    std::abort();
  }
  // Stacks lie a power of two apart: without an offset all hot frames would compete for one cache set.
  fiber->top_ = fiber->stack_ + stackBytes_ - (index % 15) * 256;
  prepare(fiber.get());
  fibers_.push_back(std::move(fiber));
  return fibers_.back().get();
}

void FiberPool::abandon(Fiber* fiber) {
  prepare(fiber);
  idle_.push_back(fiber);
}

bool FiberPool::inGuardPage(std::uintptr_t address) const {
  return ownsAddress(address) && (address - arenaBegin_) % slotBytes_ < pageBytes;
}

void FiberPool::entry(transfer_t from) {
  auto* pool = static_cast<FiberPool*>(from.data);
  Fiber* self = pool->current_;
  pool->scheduler_ = from.fctx;
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(nullptr, &pool->schedulerStack_, &pool->schedulerStackBytes_);
  for (;;) {
    pool->body_(pool->owner_);
    pool->bodyEnded_ = true;
    pool->leaveFiber(self);
  }
}

void FiberPool::leaveFiber(Fiber* fiber) {
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&fiber->fakeStack_, schedulerStack_, schedulerStackBytes_);
  if (__tsan_switch_to_fiber) __tsan_switch_to_fiber(schedulerTsanFiber_, 0);
  const transfer_t back = jump_fcontext(scheduler_, this);
  scheduler_ = back.fctx;
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(fiber->fakeStack_, &schedulerStack_, &schedulerStackBytes_);
}

void FiberPool::suspend() {
  leaveFiber(current_);
}

bool FiberPool::resume(Fiber* fiber) {
  current_ = fiber;
  bodyEnded_ = false;
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&schedulerFakeStack_, fiber->stack_,
                                   static_cast<std::size_t>(fiber->top_ - fiber->stack_));
  if (__tsan_switch_to_fiber) {
    schedulerTsanFiber_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber->tsanFiber_, 0);
  }
  const transfer_t back = jump_fcontext(fiber->context_, this);
  fiber->context_ = back.fctx;
  if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(schedulerFakeStack_, nullptr, nullptr);
  current_ = nullptr;
  return bodyEnded_;
}

}  // namespace cui::cpu
