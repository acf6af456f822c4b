#pragma once
#include "chain_inner.h"
