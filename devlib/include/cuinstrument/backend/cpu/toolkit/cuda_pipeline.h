// The toolkit's old name for both; nvcuda::experimental is gone.
#pragma once
#pragma GCC system_header

#include "cuda_pipeline_primitives.h"
