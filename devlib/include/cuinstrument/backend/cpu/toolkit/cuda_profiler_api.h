// cudaProfilerStart and cudaProfilerStop.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"
