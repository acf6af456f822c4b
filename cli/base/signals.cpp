// Which signals end us, and whom they are passed on to.
#include "cli/base/signals.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "cli/base/errors.h"

namespace cui::cli {
namespace {

/// SIGPIPE is ignored, so that writing to a closed pipe does not end us before the cleaning up.
constexpr std::array<int, 4> guardedSignals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
bool guarded = false;

volatile std::sig_atomic_t pendingSignal = 0;
std::vector<pid_t> forwardedTo;  // changes while signals are held only
std::array<struct sigaction, guardedSignals.size()> previousActions;

extern "C" void noteSignal(int signal) {
  pendingSignal = signal;
  for (const pid_t target : forwardedTo) kill(target, signal);
}

}  // namespace

SignalGuard::SignalGuard() {
  pendingSignal = 0;
  for (std::size_t i = 0; i < guardedSignals.size(); ++i) {
    sigaction(guardedSignals[i], nullptr, &previousActions[i]);
    if (previousActions[i].sa_handler == SIG_IGN) continue;  // nohup, or a background job
    struct sigaction action = {};
    action.sa_handler = guardedSignals[i] == SIGPIPE ? SIG_IGN : noteSignal;
    sigaction(guardedSignals[i], &action, nullptr);
  }
  guarded = true;
}

SignalGuard::~SignalGuard() {
  guarded = false;
  pendingSignal = 0;
  for (std::size_t i = 0; i < guardedSignals.size(); ++i)
    sigaction(guardedSignals[i], &previousActions[i], nullptr);
}

int SignalGuard::pending() {
  return pendingSignal;
}

void SignalGuard::check() {
  if (pendingSignal != 0) throw Interrupted(pendingSignal);
}

HeldSignals::HeldSignals() {
  sigset_t held;
  sigemptyset(&held);
  for (int signal : guardedSignals) sigaddset(&held, signal);
  sigprocmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() {
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void HeldSignals::forwardTo(pid_t target) const {
  forwardedTo.push_back(target);
}

void HeldSignals::forwardNoLongerTo(pid_t target) const {
  forwardedTo.erase(std::remove(forwardedTo.begin(), forwardedTo.end(), target), forwardedTo.end());
}

void HeldSignals::restoreForExec() const {
  // exec keeps what is ignored: give the child what we were given.
  for (std::size_t i = 0; i < guardedSignals.size(); ++i)
    if (guarded) sigaction(guardedSignals[i], &previousActions[i], nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void dieBySignal(int signal) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  raise(signal);
  _exit(128 + signal);
}

}  // namespace cui::cli
