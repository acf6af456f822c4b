#include "driver/crash.h"

#include <llvm/Support/ErrorHandling.h>

#include <signal.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

namespace cui::driver {
namespace {

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

// What the handler needs, ready: in it nothing may be allocated.
struct Ready {
  std::vector<std::string> words;
  std::vector<char*> arguments;
  std::array<struct sigaction, crashes.size()> actionsBefore;
  std::array<char, 65536> stack;  ///< the program's own may be what is full
  stack_t stackBefore;
} ready;

extern "C" void beginAgain(int number) {
  sigset_t all;
  sigemptyset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);  // a program inherits what is blocked
  execv("/proc/self/exe", ready.arguments.data());
  signal(number, SIG_DFL);
  raise(number);
}

/// LLVM would say why, and end.
void atFatalError(void*, const char*, bool) {
  beginAgain(SIGABRT);
}

void readOwnWords(std::vector<std::string>& words) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  words.clear();
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
}

}  // namespace

BeginsAgain::BeginsAgain(const std::string& headers) {
  readOwnWords(ready.words);
  if (!ready.words.empty()) ready.words.insert(ready.words.begin() + 1, "--forsake=" + headers);
  ready.arguments.clear();
  ready.arguments.reserve(ready.words.size() + 1);
  for (std::string& word : ready.words) ready.arguments.push_back(word.data());
  ready.arguments.push_back(nullptr);

  llvm::install_fatal_error_handler(atFatalError);
  stack_t stack{};
  stack.ss_sp = ready.stack.data();
  stack.ss_size = ready.stack.size();
  sigaltstack(&stack, &ready.stackBefore);
  struct sigaction action{};
  action.sa_handler = beginAgain;
  action.sa_flags = SA_ONSTACK;
  for (std::size_t i = 0; i < crashes.size(); ++i) sigaction(crashes[i], &action, &ready.actionsBefore[i]);
}

BeginsAgain::~BeginsAgain() {
  for (std::size_t i = 0; i < crashes.size(); ++i) sigaction(crashes[i], &ready.actionsBefore[i], nullptr);
  sigaltstack(&ready.stackBefore, nullptr);
  llvm::remove_fatal_error_handler();
}

}  // namespace cui::driver
