// Multiplies n elements in place by FACTOR, on the device.
#pragma once

bool scale(float* data, int n);
