// What containers.cu takes for a library that allocates: its calls are not rewritten, the linker shows them.
#pragma once
#include <cuda_runtime.h>

namespace rmm {

template <class T>
class device_uvector {
 public:
  explicit device_uvector(size_t size) : data_(allocate(size)), size_(size), capacity_(size) {}
  device_uvector(const device_uvector&) = delete;
  device_uvector& operator=(const device_uvector&) = delete;
  ~device_uvector() { cudaFree(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  void resize(size_t size) {
    if (size > capacity_) {
      cudaFree(data_);
      data_ = allocate(size);
      capacity_ = size;
    }
    size_ = size;
  }

 private:
  static T* allocate(size_t size) {
    void* memory = nullptr;
    if (size > 0) cudaMalloc(&memory, size * sizeof(T));
    return static_cast<T*>(memory);
  }
  T* data_;
  size_t size_, capacity_;
};

}  // namespace rmm
