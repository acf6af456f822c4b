// Headers that a macro names: as text, as tokens that become text, beside the source without anything to record.
// expect: #include CUI_INCLUDE("<out>/computed.cu.d<dir>/detail/computed.h", PART)  // by its name
// expect: #  include /* by */ CUI_INCLUDE("<out>/computed.cu.d<dir>/detail/computed_tokens.h", TEXT(detail/computed_tokens.h))
// expect: #include CUI_INCLUDE("<dir>/detail/computed_plain.h", PLAIN)
// expect: return CUI_ACCESS(#, p[1]);
// expect: return CUI_ACCESS(#, p[2]);
#define PART "detail/computed.h"
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__
#define PLAIN "detail/computed_plain.h"
#include PART  // by its name
#  include /* by */ TEXT(detail/computed_tokens.h)
#include PLAIN
__global__ void run(int* p) { p[0] = secondOf(p) + thirdOf(p) + COMPUTED_PLAIN; }
