// -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_common.cuh"
