// Macros called as what the forms' texts might use of C++'s library and their own: none is named there.
// expect: extern __shared__ T tile[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(#, tile);
// expect: printf("%s\n", CUI_TEXT(
// expect: CUI_ANY_THIS_FIELD(#, 4, 0, (CUI_CLASS(T)low), T::low)
#include <cstdio>
#define std 1
#define integral_constant 2
#define value 3
#define type 4
#define Type 5
#define text 6
#define vector 8
#define named 9
#define data 10
#define size 11
#define detail 12
#define cuda 13
#define ptr 14
#define char signed char
#define const
#define P 15
#define _ 16
#define restrict __restrict__
#define align(n) __align__(n)
#define VERIFY_WORDS(condition) do { if (!(condition)) printf("%s\n", #condition); } while (0)
struct WordsPlain { int low; };
struct WordsBits { int low : 3; };
template <class T>
struct WordsOf : T {
  __device__ int get() { return T::low; }
};
template <class T>
__global__ void words(T* p, const T* restrict q, WordsOf<WordsPlain>* plain, WordsOf<WordsBits>* bits) {
  extern __shared__ T tile[];
  __shared__ alignas(16) int apart[4];
  tile[threadIdx.x] = q[threadIdx.x];
  apart[threadIdx.x & 3] = value;
  __syncthreads();
  VERIFY_WORDS(p[0] > 0);
  p[threadIdx.x] = tile[31 - threadIdx.x] + plain->get() + bits->get() + apart[1];
}
void launchWords(int* p, WordsOf<WordsPlain>* plain, WordsOf<WordsBits>* bits) { words<<<1, 32, 128>>>(p, p, plain, bits); }
#undef std
#undef integral_constant
#undef value
#undef type
#undef Type
#undef text
#undef vector
#undef named
#undef data
#undef size
#undef detail
#undef cuda
#undef ptr
#undef char
#undef const
#undef P
#undef _
#undef restrict
#undef align
#undef VERIFY_WORDS
