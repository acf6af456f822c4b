// -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "thread_load.cuh"
