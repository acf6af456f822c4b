// The execution model as device code sees it on the CPU backend: built-in variables, barriers and warp
// intrinsics, atomics. Included by the toolkit's cuda_runtime.h.
#pragma once
#pragma GCC system_header  // it spells CUDA's own names

#include "exec_atomics.h"
#include "exec_builtins.h"
#include "exec_intrinsics.h"
#include "exec_ptx.h"
