// Reads the memory of a device that has failed: starts a process for it (rescuer.cpp), which maps what was
// exported while all was well. Called by one thread, when the program ends or resets the device; every wait
// has a bound.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "hostlib/rescue_protocol.h"

namespace cui::hostlib {

class Rescue {
 public:
  /// What is waited for: the process and its driver, and a copy.
  struct Limits {
    std::chrono::milliseconds begin{20'000}, read{10'000};
  };

  Rescue() = default;
  ~Rescue() { end(); }
  Rescue(const Rescue&) = delete;
  Rescue& operator=(const Rescue&) = delete;

  /// False if the memory cannot be had: no such process may be started here, or the driver does not allow it.
  bool begin(const RescueBegin& what, const Limits& limits);
  /// Copies bytes of exported memory; false if they could not be read, and then no others can.
  bool read(std::uint32_t which, std::uint64_t offset, void* to, std::size_t bytes);
  /// Ends the process, which does not outlive this object.
  void end();

 private:
  bool start();
  bool send(const void* message, std::size_t bytes);
  bool answered(std::chrono::milliseconds limit);

  Limits limits_;
  pid_t process_ = -1;
  int socket_ = -1;
  void* window_ = nullptr;
};

}  // namespace cui::hostlib
