// What tests include, for a batch of them: there their own lines stand in namespaces, and are to find it
// included.
#pragma once

#include <time.h>

#include <cstring>

#if defined(CUI_RECORDER_LINKED)
#include "emulated/in_place.h"
#include "emulated/lane_log.h"
#include "emulated/tally.h"
#else
#include "emulated/facts.h"
#endif
#include "exactness.h"
