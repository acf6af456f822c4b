// The signals that end us, and our children with us.
#pragma once

#include <sys/types.h>

#include <csignal>

namespace cui::cli {

/// While one exists, SIGINT, SIGTERM and SIGHUP are noted and forwarded to children instead of killing us, so
/// that temporary files can be removed. One at a time.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  /// The signal that arrived since construction, or 0.
  static int pending();
  /// Throws Interrupted if there is one.
  static void check();
};

/// While one exists, those signals wait. So none is lost between a child's beginning, or end, and the list of
/// those whom they are forwarded to.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Of a child, as kill() takes it: negative for a group.
  void forwardTo(pid_t target) const;
  void forwardNoLongerTo(pid_t target) const;
  /// In a child: exec is to find what we were given. Async-signal-safe.
  void restoreForExec() const;

 private:
  sigset_t before_;
};

/// Ends this process by the signal's default action.
[[noreturn]] void dieBySignal(int signal);

}  // namespace cui::cli
