// What the values of a site are: numbers of which kind, or bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cui::db {

enum class ValueType : std::uint8_t { bytes, signedInteger, unsignedInteger, real, half, bfloat16 };

/// From a site's type as written. Where that is a template parameter, there is an alternative for each
/// instantiation of `templateContext` ("T=float, N=4 | T=int, N=8").
class ValueTypes {
 public:
  ValueTypes() = default;
  ValueTypes(std::string_view type, std::string_view function, std::string_view templateContext);

  /// Of a value of `bytes` bytes that a launch of `kernel` ("ns::scale<float, 4>") recorded. A kernel's own
  /// sites tell the instantiation by the kernel's arguments, others by the size; `bytes` where that leaves
  /// several types.
  ValueType of(std::uint32_t bytes, std::string_view kernel) const;
  /// More than one type is possible.
  bool several() const { return alternatives_.size() > 1; }

 private:
  struct Alternative {
    ValueType type = ValueType::bytes;
    std::uint32_t bytes = 0;
    std::vector<std::string> kernels;  ///< as launches name them
  };
  void add(std::string_view type, std::string kernel);

  std::vector<Alternative> alternatives_;
};

}  // namespace cui::db
