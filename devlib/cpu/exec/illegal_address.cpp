#include "illegal_address.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>

#include "division.h"
#include "error_codes.h"
#include "worker.h"

extern "C" {
// The program's own code, as the linker lays it out.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern const char __executable_start[] __attribute__((weak));
extern const char etext[] __attribute__((weak));
}

namespace cui::cpu {

namespace {

constexpr std::size_t signalStackBytes = 64 << 10;

struct sigaction previous[NSIG];
thread_local std::uintptr_t faultAddress;

/// Where the faulting lane goes on, on its emptied stack.
[[noreturn]] void laneFaulted() {
  Worker* worker = Worker::running();
  {
    char text[64];
    if (worker->fibers().inGuardPage(faultAddress))
      std::snprintf(text, sizeof text, "stack overflow");
    else
      std::snprintf(text, sizeof text, "illegal address 0x%llx",
                    static_cast<unsigned long long>(faultAddress));
    std::string what = text + worker->lastAccess();
    if (worker->fibers().inGuardPage(faultAddress))
      what += " (CUINSTRUMENT_CPU_STACK_KB sets the size of a thread's stack)";
    worker->fail(errorIllegalAddress, what.c_str());
  }
  worker->stop();
}

#if defined(__x86_64__)
std::uintptr_t programCounter(const ucontext_t& context) {
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
}
void redirect(ucontext_t& context, char* stackTop) {
  // As after a call: 8 below a multiple of 16.
  const auto stack = (reinterpret_cast<std::uintptr_t>(stackTop) & ~std::uintptr_t{15}) - 8;
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(stack);
  context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(&laneFaulted));
}
#elif defined(__aarch64__)
std::uintptr_t programCounter(const ucontext_t& context) {
  return context.uc_mcontext.pc;
}
void redirect(ucontext_t& context, char* stackTop) {
  context.uc_mcontext.sp = reinterpret_cast<std::uintptr_t>(stackTop) & ~std::uintptr_t{15};
  context.uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(&laneFaulted);
}
#endif

#if defined(__x86_64__) || defined(__aarch64__)
void handle(int signal, siginfo_t* info, void* data) {
  auto& context = *static_cast<ucontext_t*>(data);
  Worker* worker = Worker::running();
  const std::uintptr_t at = programCounter(context);
  // Only in the program's own code: a library may hold a lock that would never be released.
  const bool ours = at >= reinterpret_cast<std::uintptr_t>(__executable_start) &&
                    at < reinterpret_cast<std::uintptr_t>(etext);
  if (worker != nullptr && ours && worker->inLane()) {
    if (signal == SIGFPE) {
      if (finishDivision(context)) return;
    } else {
      faultAddress = reinterpret_cast<std::uintptr_t>(info->si_addr);
      redirect(context, worker->fiber()->top());
      return;
    }
  }
  sigaction(signal, &previous[signal], nullptr);  // the fault repeats and takes its usual course
}

void install(int signal) {
  struct sigaction current = {};
  if (sigaction(signal, nullptr, &current) != 0 || (current.sa_flags & SA_SIGINFO) != 0 ||
      current.sa_handler != SIG_DFL)
    return;
  previous[signal] = current;
  struct sigaction ours = {};
  ours.sa_sigaction = handle;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  sigaction(signal, &ours, nullptr);
}
#endif

/// An overflowing stack cannot take the handler's frame.
struct SignalStack {
  SignalStack() : memory(new char[signalStackBytes]) {
    stack_t old = {};
    if (sigaltstack(nullptr, &old) != 0 || (old.ss_flags & SS_DISABLE) == 0) return;  // the program has one
    stack_t ours = {};
    ours.ss_sp = memory.get();
    ours.ss_size = signalStackBytes;
    installed = sigaltstack(&ours, nullptr) == 0;
  }
  ~SignalStack() {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    if (installed) sigaltstack(&none, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  std::unique_ptr<char[]> memory;
  bool installed = false;
};

}  // namespace

void useSignalStack() {
  if (__sanitizer_start_switch_fiber || __tsan_switch_to_fiber) return;  // sanitizers report faults better
  static thread_local SignalStack stack;
}

void catchIllegalAddresses() {
#if defined(__x86_64__) || defined(__aarch64__)
  if (__sanitizer_start_switch_fiber || __tsan_switch_to_fiber || __executable_start == nullptr) return;
  static std::once_flag once;
  std::call_once(once, [] {
    install(SIGSEGV);
    install(SIGBUS);
    install(SIGFPE);
  });
  useSignalStack();
#endif
}

}  // namespace cui::cpu
