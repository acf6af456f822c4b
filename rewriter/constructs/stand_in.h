// Objects of library code that stand for an element elsewhere: thrust::device_reference<T> and its kin.
#pragma once

#include "constructs/use.h"

namespace cui::constructs {

/// The type of the element for which an object of that type stands; null if for none.
clang::QualType standsFor(clang::QualType type, const clang::SourceManager& manager);

/// What is done, by operators of its own, with the element for which path.back() stands; with a reason where
/// the object is kept instead, and nothing tells.
Usage usageOfStandIn(const std::vector<Node>& path);

}  // namespace cui::constructs
