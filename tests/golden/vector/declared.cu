// Containers whose memory a library allocates: named by a statement after the declaration.
// compile: -isystem library
// nvcc: no, the library's stand-in is a folder of this one
// expect: d(n); CUI_VECTOR(#, d);
// expect: a(n), b(2 * n); CUI_VECTOR(#, a); CUI_VECTOR(#, b);
// expect: u(8); CUI_VECTOR(#, u);
// expect: p = thrust::device_malloc<double>(4); CUI_VECTOR(#, p);
// expect: kept(1); CUI_VECTOR(#, kept);
// expect: made = make(n); CUI_VECTOR(#, made);
// expect: of(n); CUI_VECTOR(#, of);
// expect: raw(64); CUI_VECTOR(#, raw);
// expect: CUI_CALL_ENTRY("thrust::device_vector", "declare", "d", "float", 4,
// expect: CUI_CALL_ENTRY("thrust::device_ptr", "declare", "p", "double", 8,
// expect: CUI_CALL_ENTRY("rmm::device_buffer", "declare", "raw", "", 0,
#include <vectors.h>

thrust::device_vector<int> make(size_t n) { return thrust::device_vector<int>(n); }

void declare(size_t n) {
  thrust::device_vector<float> d(n);
  thrust::device_vector<int> a(n), b(2 * n);  // a comment stays where it is
  thrust::universal_vector<char> u(8);
  thrust::device_ptr<double> p = thrust::device_malloc<double>(4);
  static thrust::device_vector<short> kept(1);
  auto made = make(n);
  rmm::device_buffer raw(64);
}

// Of a template the instantiations say what it is.
template <class T>
void inTemplate(size_t n) {
  thrust::device_vector<T> of(n);
}
template void inTemplate<float>(size_t);
template void inTemplate<long>(size_t);

// Without a name of its own, or where no statement may follow, nothing is said.
void silent(size_t n, thrust::device_vector<int>& given) {
  thrust::device_vector<int>& other = given;
  for (thrust::device_vector<int> each(1); other.size() > n;) break;
  if (thrust::device_ptr<int> pointer{}; pointer.get()) return;
  thrust::device_vector<int>(3);
  thrust::device_vector<int> several[2];
  [](thrust::device_vector<int> parameter) {}(thrust::device_vector<int>(n));
}
// standard: 17 20
// expect-not: CUI_VECTOR(#, other)
// expect-not: CUI_VECTOR(#, each)
// expect-not: CUI_VECTOR(#, pointer)
// expect-not: CUI_VECTOR(#, several)
// expect-not: CUI_VECTOR(#, parameter)
