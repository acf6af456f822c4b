// -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "block_adjacent_difference.cuh"
