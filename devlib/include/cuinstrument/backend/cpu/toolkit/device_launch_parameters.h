// threadIdx, blockIdx, blockDim, gridDim, warpSize.
#pragma once

#include "cuda_runtime.h"
