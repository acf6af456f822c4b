// `operator<<` in front of its template's arguments: no launch's brackets, to nvcc.
// expect: inline Log& Log::operator<<<int>(const int& value) {
// expect: CUI_ACCESS(#, CUI_ACCESS(#, this->out)[0]) = CUI_ACCESS(#, value);
// expect: log->operator<<<float>(CUI_ACCESS(#, from[1]) + 1);
// expect: CUI_LAUNCH(#, write
// expect-not: skipped
struct Log {
  float* out;
  template <class T> __device__ Log& operator<<(const T& value) {
    this->out[1] = value;
    return *this;
  }
};
template <> __device__ inline Log& Log::operator<<<int>(const int& value) {
  this->out[0] = value;
  return *this;
}
__global__ void write(Log* log, float* from) {
  log->operator<<<float>(from[1] + 1);
  log->operator<< <int>(2);
  *log << 1 << 2.f;
}
void launch(Log* log, float* from) {
  write<<<1, 1>>>(log, from);
}
