// What failing_child tells its runtime.
#pragma once

/// From here on the device gives nothing out.
void failDevice();
