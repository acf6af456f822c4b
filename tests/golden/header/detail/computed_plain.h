#pragma once
#define COMPUTED_PLAIN 3
