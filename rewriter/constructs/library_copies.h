// What kernels of Thrust's and CUB's copy, whose code is not in the tree.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <set>

namespace cui::constructs {

/// The program's classes that it calls Thrust's and CUB's templates with, directly or within other types.
std::set<const clang::CXXRecordDecl*> classesInLibraryKernels(clang::ASTContext& ast);

/// Its constructors and assignments from objects of the class that the program has written for the device.
std::set<const clang::CXXMethodDecl*> copyingMembers(const clang::CXXRecordDecl& record);

}  // namespace cui::constructs
