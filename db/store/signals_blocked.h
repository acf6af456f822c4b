// Signals are the program's that is traced: none is handled on a thread of ours, and none that our writing
// raises reaches it.
#pragma once

#include <pthread.h>

#include <csignal>
#include <ctime>
#include <thread>
#include <utility>

namespace cui::db {

/// No signal is delivered to this thread as long as the object lives; what is started meanwhile keeps it so.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() {
    // A limit on the size of files ends a program that would write beyond it by a signal to the thread that
    // writes. The write fails as well, which is said; the signal is ours.
    if (sigismember(&before_, SIGXFSZ) == 0) {
      sigset_t ours;
      sigemptyset(&ours);
      sigaddset(&ours, SIGXFSZ);
      const timespec now = {};
      while (sigtimedwait(&ours, nullptr, &now) == SIGXFSZ) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// A thread that no signal is delivered to.
template <class Work>
std::thread threadWithoutSignals(Work work) {
  const SignalsBlocked blocked;
  return std::thread(std::move(work));
}

}  // namespace cui::db
