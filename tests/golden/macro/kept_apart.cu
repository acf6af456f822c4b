// A macro without text keeps one with arguments from being expanded (`largest NOT_A_MACRO(…)`, as Eigen has `max`): what
// holds that is no argument of ours, in which it would be expanded after all. What is within its parentheses is.
// expect: return larger NOT_A_MACRO(CUI_ACCESS(#, x), CUI_ACCESS(#, y)) + CUI_ACCESS(#, x);
// expect: CUI_ACCESS(#, *out) = twice NOT_A_MACRO(CUI_ACCESS(#, out[1]));
// expect: p[twice NOT_A_MACRO(1)] = 1;
// expect: a macro's name is in it that another macro keeps from being expanded
#define NOT_A_MACRO
__device__ inline int larger(int x, int y) { return x > y ? x : y; }
__device__ inline int twice(int x) { return 2 * x; }
#define larger(x, y) please_write_it_in_parentheses
#define twice(x) please_write_it_in_parentheses
__device__ int maxi(const int& x, const int& y) { return larger NOT_A_MACRO(x, y) + x; }
__device__ void store(int* out) { *out = twice NOT_A_MACRO(out[1]); }
__device__ void place(int* p) { p[twice NOT_A_MACRO(1)] = 1; }
#undef larger
#undef twice
#undef NOT_A_MACRO
