#include STEP
