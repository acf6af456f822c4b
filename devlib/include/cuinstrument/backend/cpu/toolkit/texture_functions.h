// Textures and surfaces in device code.
#pragma once
#pragma GCC system_header

#include "channel_descriptor.h"
#include "surface_functions.h"
#include "texture_fetch_functions.h"
