// Fibers: stacks with guard pages, and switching between a scheduler and the fibers it resumes.
//
// One FiberPool belongs to one OS thread. A fiber is a resource, not a CUDA thread: it runs lanes to
// completion one after another and is given up only when a lane has to wait, so kernels that never
// wait need one fiber per worker. Works under AddressSanitizer and ThreadSanitizer (found at run time).
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cui::cpu {

class FiberPool;

class Fiber {
 public:
  /// Lower end and size of the stack, guard page not included.
  char* stack() const { return stack_; }
  /// Stack pointer at the body's entry into device code, kept by the body's owner.
  std::uintptr_t stackBase = 0;

 private:
  friend class FiberPool;
  boost::context::detail::fcontext_t context_ = nullptr;  ///< where to resume; null: not started
  char* stack_ = nullptr;
  char* top_ = nullptr;  ///< first frame; staggered, so that fibers do not share cache sets
  void* fakeStack_ = nullptr;
  void* tsanFiber_ = nullptr;
};

class FiberPool {
 public:
  using Body = void (*)(void* owner);

  /// `body(owner)` is what a fiber runs each time it is taken from the pool and resumed.
  FiberPool(std::size_t stackBytes, Body body, void* owner);
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// A fiber at the start of its body.
  Fiber* take();
  /// Puts back a fiber whose body has returned to the scheduler.
  void give(Fiber* fiber) { idle_.push_back(fiber); }
  /// Puts back a fiber in the middle of its body: what is on its stack is forgotten, not unwound.
  void abandon(Fiber* fiber);

  /// Scheduler side: runs `fiber` until it suspends or its body ends. Returns true if the body ended.
  bool resume(Fiber* fiber);
  /// Fiber side: back to the scheduler, until resumed.
  void suspend();

  /// Whether `address` lies in any stack of the pool.
  bool ownsAddress(std::uintptr_t address) const { return address - arenaBegin_ < arenaBytes_; }
  std::uintptr_t arenaBegin() const { return arenaBegin_; }
  std::uintptr_t arenaBytes() const { return arenaBytes_; }
  /// The fiber whose guard page holds `address`, or null: tells a stack overflow from a wild pointer.
  bool inGuardPage(std::uintptr_t address) const;

 private:
  static void entry(boost::context::detail::transfer_t from);
  void prepare(Fiber* fiber);
  void enterFiber(Fiber* fiber);
  void leaveFiber(Fiber* fiber);

  std::size_t stackBytes_;  ///< usable bytes
  std::size_t slotBytes_;   ///< stack and guard page
  Body body_;
  void* owner_;
  std::uintptr_t arenaBegin_ = 0;
  std::uintptr_t arenaBytes_ = 0;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  Fiber* current_ = nullptr;
  bool bodyEnded_ = false;
  boost::context::detail::fcontext_t scheduler_ = nullptr;
  void* schedulerFakeStack_ = nullptr;
  const void* schedulerStack_ = nullptr;
  std::size_t schedulerStackBytes_ = 0;
  void* schedulerTsanFiber_ = nullptr;
};

}  // namespace cui::cpu
