// -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "warp_reduce.cuh"
