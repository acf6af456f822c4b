// The one header a rewritten file includes, as its first line. Everything it makes visible is in
// namespace cui or starts with CUI_; it uses no identifier a program may have redefined (min, malloc,
// __shared__, …) outside the backend, which guards against that.
//
// The meaning of every form is in docs/instrumented-source.md.
#pragma once

/// For a header that the program names by a macro.
#define CUI_INCLUDE(path, ...) path

#include "cuinstrument/format/record.h"
#include "cuinstrument/format/unit.h"
#include "cuinstrument/host/abi.h"

// Our own toolkit headers define __CUDACC__ too, because programs branch on it.
#if defined(__CUDACC__) && !defined(CUI_CPU_BACKEND)
#include "cuinstrument/backend/cuda/backend.h"
#else
#include "cuinstrument/backend/cpu/backend.h"
#endif

#include "cuinstrument/device/access.h"
#include "cuinstrument/device/alike.h"
#include "cuinstrument/device/api.h"
#include "cuinstrument/device/assembly.h"
#include "cuinstrument/device/copy.h"
#include "cuinstrument/device/driver_call.h"
#include "cuinstrument/device/each.h"
#include "cuinstrument/device/field.h"
#include "cuinstrument/device/launch_call.h"
#include "cuinstrument/device/loop.h"
#include "cuinstrument/device/pasted_call.h"
#include "cuinstrument/device/row.h"
#include "cuinstrument/device/tables.h"
#include "cuinstrument/device/text.h"
#include "cuinstrument/device/texture.h"
#include "cuinstrument/device/tile.h"
#include "cuinstrument/device/vector.h"
