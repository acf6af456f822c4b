// library_launches.cpp for what nvcc makes of <<<>>> since it has handles of kernels. Apart, because older
// runtimes do not have these functions.
#include "cuda/library_launches.h"

CUI_LAUNCH_BY(__cudaLaunchKernel, false)
CUI_LAUNCH_BY(__cudaLaunchKernel_ptsz, true)
