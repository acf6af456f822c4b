// A variable of the environment, changed for a while.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace cui::cli {

/// The processes started while one exists find `value` in the variable; no value: what was there before.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::optional<std::string>& value) : name_(name) {
    const char* const before = std::getenv(name);
    if (!value || before == nullptr) return;
    before_ = before;
    ::setenv(name, value->c_str(), 1);
  }
  ~ScopedVariable() {
    if (before_) ::setenv(name_, before_->c_str(), 1);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace cui::cli
