// A folder of -I has a header called memory.h. The toolkit's headers of random numbers ask for the system's by that name, and nvcc
// reads them only where a program does: ours is read where it is included.
// compile: -I memory_name
// nvcc: no, it needs -I
// expect: CUI_ACCESS(#, p[1]) = moved(p, p + 2) + asWord(3);
// expect-not: not instrumented
using Word = unsigned int;
#include <memory.h>
__global__ void k(Word* p) {
  p[1] = moved(p, p + 2) + asWord(3);
}
