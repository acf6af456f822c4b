// The tables stand behind all of a file's macros, those of the headers it includes too: Xlib.h defines Status.
// nvcc: no, its macros stay defined
// expect: CUI_ACCESS(#, p[0]) = CUI_ACCESS(#, s[1]);
#define Status int
#define Bool int
#define None 0L
#define Success 0
#define Kind 1
#define Space 2
#define format 3
#define backend 4
#define count 5
#define table 6
#define globals 7
#define UnitTable 8
#define SiteEntry 9
#define GlobalEntry 10
#define unitFormatVersion 11
#define load 12
#define skipped 13
#define id 14
#define file 15
#define line 16
#define column 17
#define name 18
#define space 19
#define dynamic 20
#define version 21
__constant__ float factors[4];
__global__ void names(float* p) {
  __shared__ float s[32];
  s[threadIdx.x] = factors[0];
  p[0] = s[1];
}
void namesLaunch(float* p) { names<<<1, 32>>>(p); }
