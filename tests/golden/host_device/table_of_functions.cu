// Functions in a table of void*, which nvcc takes with a warning and Clang does not; nothing is accessed there.
// cpu: no, its compiler rejects them
// expect: TableStep step = (TableStep)CUI_ACCESS(#, tableOfSteps[
// expect-not: Clang rejects
struct TableState { unsigned char r[8]; };
typedef void (*TableStep)(TableState*, unsigned char);
__device__ void tableUp(TableState* s, unsigned char v) { s->r[0] += v; }
__device__ void tableDown(TableState* s, unsigned char v) { s->r[1] -= v; }
__device__ void* tableOfSteps[] = {tableUp, tableDown};
__global__ void runTable(TableState* s, const unsigned char* code) {
  TableStep step = (TableStep)tableOfSteps[code[threadIdx.x]];
  step(s, 1);
}
