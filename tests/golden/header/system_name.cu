// A header of the user's called math.h, in a folder of -I: one of the toolkit's takes it for the system's, and nvcc has read it, and
// what it includes, before the source begins. Its accesses have rows.
// compile: -I system_name
// nvcc: no, it needs -I
// cpu: no, the headers there include another first
// expect: "add", "FIRST(p)", "p", "0", "float", "FIRST", "", "in a header that one of the toolkit's includes, for it has a system header's name"
// expect: "add", "p[1]", "p", "1", "float", "", "", "in a header that one
// expect: "beside", "p[2]", "p", "2", "float", "", "", "in a header that one
// expect: "run", "FIRST(p + 4)", "p", "4, 0", "float", "FIRST", "", "in a header that one
// expect: CUI_ACCESS(#, p[5]) = add(p) + FIRST(p + 4);
#include <math.h>
__global__ void run(float* p) {
  p[5] = add(p) + FIRST(p + 4);
}
