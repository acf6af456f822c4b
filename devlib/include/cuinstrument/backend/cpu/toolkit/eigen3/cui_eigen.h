// In front of Eigen's headers by the name that Debian's folder gives them, which cuda_runtime.h, that knows
// of Eigen by <Eigen/Core>, does not see.
#pragma once
#pragma GCC system_header

#include "../cuda_runtime.h"
#include "../cui_eigen.h"
