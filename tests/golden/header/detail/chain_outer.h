#pragma once
#include "chain_middle.h"
void nothingOfTheDevice();
