// Eigen's templates name `arg` (`using ::arg;`) where they are compiled for a device. nvcc does not look into
// those that nothing instantiates; GCC wants the name to be there. Only where Eigen is, for a program may
// have its own.
#pragma once
#pragma GCC system_header

#if !CUI_TK_PARSE
namespace cui {
namespace toolkit {
struct NoNumber;
}  // namespace toolkit
}  // namespace cui
void arg(const ::cui::toolkit::NoNumber&);
#endif
