// -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cache_modified_input_iterator.cuh"
