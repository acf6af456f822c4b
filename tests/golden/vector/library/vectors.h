// What the cases take for libraries: classes by the names in constructs/vectors.def.
#pragma once
#include <stddef.h>

namespace thrust {
inline namespace built_with_something {
template <class T>
class pointer {
 public:
  explicit pointer(T* raw = nullptr) : raw_(raw) {}
  T* get() const { return raw_; }

 private:
  T* raw_;
};
template <class T>
class device_ptr : public pointer<T> {
 public:
  using pointer<T>::pointer;
};
template <class T>
device_ptr<T> device_malloc(size_t n) {
  return device_ptr<T>(static_cast<T*>(::operator new(n * sizeof(T))));
}
namespace detail {
template <class T>
class vector_base {
 public:
  explicit vector_base(size_t n = 0) : size_(n) {}
  pointer<T> data() { return pointer<T>(data_); }
  pointer<const T> data() const { return pointer<const T>(data_); }
  size_t size() const { return size_; }
  size_t capacity() const { return size_; }
  void resize(size_t n) { size_ = n; }
  void push_back(const T&) { ++size_; }
  void clear() { size_ = 0; }
  void swap(vector_base&) {}

 private:
  T* data_ = nullptr;
  size_t size_;
};
}  // namespace detail
template <class T>
class host_vector : public detail::vector_base<T> {
 public:
  using detail::vector_base<T>::vector_base;
};
template <class T>
class device_vector : public detail::vector_base<T> {
 public:
  using detail::vector_base<T>::vector_base;
  device_vector& operator=(const host_vector<T>& other) {
    this->resize(other.size());
    return *this;
  }
};
template <class T>
using universal_vector = detail::vector_base<T>;
}  // namespace built_with_something
}  // namespace thrust

namespace rmm {
class device_buffer {
 public:
  explicit device_buffer(size_t n) : size_(n) {}
  const void* data() const { return nullptr; }
  size_t size() const { return size_; }

 private:
  size_t size_;
};
}  // namespace rmm
