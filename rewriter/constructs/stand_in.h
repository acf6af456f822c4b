// Objects of library code that stand for an element elsewhere: thrust::device_reference<T> and its kin.
#pragma once

#include "constructs/use.h"

namespace cui::constructs {

/// The type of the element for which an object of that type stands; null if for none.
clang::QualType standsFor(clang::QualType type, const clang::SourceManager& manager);

/// What is done, by operators of its own, with the element for which path.back() stands; with a reason where
/// the object is handed on to library code, and nothing tells. One that is kept, or handed to a function of
/// the program's, is used where that is named: `isKept`.
struct StandInUsage {
  Usage usage;
  bool isKept = false;
};
StandInUsage usageOfStandIn(const std::vector<Node>& path, const clang::SourceManager& manager);

}  // namespace cui::constructs
