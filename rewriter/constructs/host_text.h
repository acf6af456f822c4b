// Launches and runtime calls in text that only the host's side has (`#ifndef __CUDA_ARCH__`): the source is
// read as the device's, so that nothing there is rewritten. The tables say so.
#pragma once

#include "constructs/findings.h"
#include "constructs/preprocessing.h"
#include "constructs/sources.h"

namespace cui::constructs {

/// Adds a skipped site for each of them in the program's own files.
void tellHostText(const Preprocessing& preprocessing, Sources& sources, Findings& findings);

}  // namespace cui::constructs
