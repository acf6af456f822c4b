#pragma once
#ifdef __CUDA_ARCH__
#include "sides_device.h"
#else
#include "sides_host.h"
#include "sides_of_all.h"
#if __has_include("sides_nowhere.h")
#include "sides_nowhere.h"
#endif
#endif
#include "sides_of_all.h"
__device__ inline int sixthOf(const int* p) { return eighthOf(p) + p[5] * sideOf; }
