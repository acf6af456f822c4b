// cuda_pipeline (asynchronous copies) is not part of the CPU backend.
#pragma once

#error "cuinstrument: cuda_pipeline_primitives.h (cuda_pipeline (asynchronous copies)) is not supported on the CPU backend; build with nvcc instead"
