// Nobody instantiates this template here, so it never runs in this unit. Wrapping it costs nothing, and a trace
// shows it as code that was not reached.
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, in[i]);
template <class T>
__global__ void unused(T* out, const T* in) {
  int i = threadIdx.x;
  out[i] = in[i];
}
