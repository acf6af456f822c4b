#define FORCED 3
