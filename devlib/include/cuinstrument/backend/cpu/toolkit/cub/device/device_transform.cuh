// cub::DeviceTransform, whose inputs may be a tuple of libcu++'s where the program sees that. -*- C++ -*-
#pragma once
#pragma GCC system_header

#if defined(__has_include)
#if __has_include(<cuda/std/tuple>)
#include <cuda/std/tuple>
#endif
#endif

#include "device_for.cuh"
