// -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "device_for.cuh"
