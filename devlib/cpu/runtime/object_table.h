// Handles of objects that device code looks up: counted from 1 on, so that they are the same in every run.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

namespace cui::cpu {

/// Finding takes no lock, because every fetch does it. Objects are found again by any thread once their
/// handle has been handed over in the usual ways.
template <class Object, std::size_t Capacity>
class ObjectTable {
 public:
  /// A handle; 0 if the table is full.
  unsigned long long add(std::unique_ptr<Object> object) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t tried = 0; tried < Capacity; ++tried) {
      const std::size_t index = next_++ % Capacity;
      if (objects_[index].load(std::memory_order_relaxed) != nullptr) continue;
      objects_[index].store(object.release(), std::memory_order_release);
      return index + 1;
    }
    return 0;
  }

  const Object* find(unsigned long long handle) const {
    return handle - 1 < Capacity ? objects_[handle - 1].load(std::memory_order_acquire) : nullptr;
  }

  bool remove(unsigned long long handle) {
    if (handle - 1 >= Capacity) return false;
    std::lock_guard<std::mutex> lock(mutex_);
    const std::unique_ptr<Object> object(objects_[handle - 1].exchange(nullptr));
    return object != nullptr;
  }

 private:
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::array<std::atomic<Object*>, Capacity> objects_{};
};

}  // namespace cui::cpu
