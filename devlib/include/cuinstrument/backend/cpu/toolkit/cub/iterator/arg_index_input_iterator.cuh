// -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "counting_input_iterator.cuh"
