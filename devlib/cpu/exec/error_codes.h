// The runtime API's error numbers that the executor produces (driver_types.h spells them for programs).
#pragma once

namespace cui::cpu {

enum ErrorCode {
  errorInvalidValue = 1,
  errorInvalidConfiguration = 9,
  errorLaunchMaxDepthExceeded = 65,
  errorIllegalAddress = 700,
  errorLaunchOutOfResources = 701,
  errorLaunchTimeout = 702,
  errorAssert = 710,
  errorLaunchFailure = 719,
  errorCooperativeLaunchTooLarge = 720,
  errorNotSupported = 801,
  errorInvalidClusterSize = 912,
};
const char* errorName(int code);

}  // namespace cui::cpu
