// What the tests' programs tell their runtime.
#pragma once

/// From here on the device gives nothing out.
void failDevice();

/// So many devices; the calling thread's is the first one until cudaSetDevice().
void haveDevices(int count);
