// What kind a diagnostic of Clang's is: what nvcc says of the same code, and what may be done about it.
#pragma once

#include <clang/Basic/Diagnostic.h>

#include <string>

namespace cui::driver {

/// What Clang would print.
std::string messageOf(const clang::Diagnostic& diagnostic);
/// A `warpSize` of the program's, where nvcc has only declared its own (`extern const int`) and Clang's
/// header has defined it.
bool isOwnWarpSize(const clang::Diagnostic& diagnostic);
/// `void f(auto x)` before C++20, which nvcc takes as GCC does.
bool isAutoParameter(const clang::Diagnostic& diagnostic);
/// What it says is of the types that Clang's header gives `threadIdx` and its kin, which are `uint3` and
/// `dim3` to nvcc and to the program's templates and operators; of a copy of one, that a member of it is
/// assigned.
bool isOfIndexTypes(const clang::Diagnostic& diagnostic);
/// A header of Thrust's, libcu++'s or CUB's that is not there: who compiles without nvcc has to say where.
bool isMissingLibrary(const clang::Diagnostic& diagnostic);
/// What an error says of a candidate that the host cannot call. nvcc takes such calls in templates, and those
/// of constexpr functions with --expt-relaxed-constexpr.
bool isDeviceCandidate(const clang::Diagnostic& note);
/// What an error says of a candidate that the device cannot call. nvcc takes such calls in functions of which
/// it makes no code.
bool isHostCandidate(const clang::Diagnostic& note);
/// The template of a specialisation, or of an explicit instantiation, that names other sides: to nvcc, it is
/// for both.
bool isOfOtherSides(const clang::Diagnostic& note);
/// What the note is about is code made from a template.
bool isInstantiation(const clang::Diagnostic& note);
/// The operator at its place is `+=` or `-=`.
bool isAssignment(const clang::Diagnostic& diagnostic);
/// `static_cast<int*>(p + 4)`, where `p` has been cast to `char*` (template_words.h).
bool isCastOfBytes(const clang::Diagnostic& diagnostic);
/// nvcc accepts these, and Clang's tree keeps what is around them.
bool acceptedByNvcc(const clang::Diagnostic& diagnostic);
/// Of those that nvcc accepts: Clang's tree has all of the code, and knows who calls what.
bool keepsAllCode(const clang::Diagnostic& diagnostic);

}  // namespace cui::driver
