// Eigen's templates name `arg` (`using ::arg;`) where they are compiled for a device. nvcc does not look into
// those that nothing instantiates; GCC wants the name to be there. See cuda_runtime.h, which knows of Eigen
// by <Eigen/Core>: here it has only the name that Debian's folder gives it.
#pragma once
#pragma GCC system_header

#include "../cuda_runtime.h"

#if !CUI_TK_PARSE && !__has_include(<Eigen/Core>)
namespace cui {
namespace toolkit {
struct NoNumber;
}  // namespace toolkit
}  // namespace cui
void arg(const ::cui::toolkit::NoNumber&);
#endif
