// A header of the toolkit whose contents are in cuda_runtime.h.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
