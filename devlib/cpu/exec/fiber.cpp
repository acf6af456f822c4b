#include "fiber.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace cui::cpu {

namespace {

constexpr std::size_t maxFibers = 1024;  // a block's threads
/// 2,048 mappings each.
constexpr unsigned guardedPools = 16;
std::atomic<unsigned> pools{0};
/// A launch may come before main(), from what initialises a variable of the program.
std::size_t pageSize() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// The pool whose fiber is being entered for the first time.
thread_local FiberPool* entering = nullptr;

}  // namespace

FiberPool::FiberPool(std::size_t stackBytes, Body body, void* owner)
    : guarded_(pools.fetch_add(1) < guardedPools), body_(body), owner_(owner) {
  stackBytes_ = (stackBytes + pageSize() - 1) / pageSize() * pageSize();
  slotBytes_ = stackBytes_ + pageSize();
  arenaBytes_ = slotBytes_ * maxFibers;
  // Address space only; pages appear when touched. Inaccessible until a stack is cut out of it.
  const int access = guarded_ ? PROT_NONE : PROT_READ | PROT_WRITE;
  void* arena = mmap(nullptr, arenaBytes_, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) {
    std::fprintf(stderr,
                 "cuinstrument: cannot reserve %zu MiB of address space for thread stacks: lower "
                 "CUINSTRUMENT_CPU_STACK_KB\n",
                 arenaBytes_ >> 20);
    std::abort();
  }
  arena_ = static_cast<char*>(arena);
  arenaAddress_ = reinterpret_cast<std::uintptr_t>(arena);
  fibers_.reserve(maxFibers);
  idle_.reserve(maxFibers);
  if (__sanitizer_start_switch_fiber) {
    pthread_attr_t attributes;
    void* stack = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &stack, &bytes);
      pthread_attr_destroy(&attributes);
    }
    scheduler_.stack_ = static_cast<char*>(stack);
    scheduler_.top_ = scheduler_.stack_ + bytes;
  }
}

FiberPool::~FiberPool() {
  if (__tsan_destroy_fiber)
    for (Fiber* fiber : fibers_) __tsan_destroy_fiber(fiber->tsanFiber_);
  munmap(arena_, arenaBytes_);
  pools.fetch_sub(1);
}

void FiberPool::prepare(Fiber* fiber) {
  fiber->context_ = makeStack(fiber->stack_, fiber->top_);
  fiber->fakeStack_ = nullptr;
  if (__tsan_create_fiber) {
    if (fiber->tsanFiber_) __tsan_destroy_fiber(fiber->tsanFiber_);
    fiber->tsanFiber_ = __tsan_create_fiber(0);
  }
  entering = this;
}

Fiber* FiberPool::create() {
  const std::size_t index = fibers_.size();
  char* stack = arena_ + index * slotBytes_ + pageSize();
  if (guarded_ && mprotect(stack, stackBytes_, PROT_READ | PROT_WRITE) != 0) {
    std::fprintf(stderr, "cuinstrument: out of memory for the stack of device thread %zu of a block\n",
                 index);
    std::abort();
  }
  // Stacks lie a multiple of the page size apart: without an offset all hot frames would compete for the
  // same cache sets.
  constexpr std::size_t reserved = 128;
  static_assert(sizeof(Fiber) <= reserved, "the fiber fits above its stack");
  char* top = stack + stackBytes_ - reserved - index % 15 * 256;
  auto* fiber = new (top) Fiber;
  fiber->stack_ = stack;
  fiber->top_ = top;
  prepare(fiber);
  fibers_.push_back(fiber);
  return fiber;
}

bool FiberPool::inGuardPage(std::uintptr_t address) const {
  return guarded_ && ownsAddress(address) && (address - arenaAddress_) % slotBytes_ < pageSize();
}

void enterNewStack() {
  FiberPool::arrived(nullptr);
  FiberPool* pool = entering;
  pool->body_(pool->owner_);
  std::abort();  // the body never returns
}

}  // namespace cui::cpu
