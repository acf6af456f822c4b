// Where an object's bytes would lie if its declaration were changed, and what its accesses would cost then.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/store/chunk_codec.h"
#include "db/store/metrics.h"

namespace cui::db {

/// A change of an object's layout. Offsets count bytes from the object's start.
class AddressChange {
 public:
  /// `padBytes` unused bytes after each row of `rowBytes`.
  static AddressChange padRows(std::uint64_t rowBytes, std::uint64_t padBytes);
  /// Element e of row r moves to e XOR (r mod the row's elements): a swizzle, which takes no memory. The
  /// row must hold a power of two of elements.
  static AddressChange swizzleRows(std::uint64_t rowBytes, std::uint64_t elementBytes);
  /// a[rows][columns] becomes a[columns][rows].
  static AddressChange swapIndices(std::uint64_t rows, std::uint64_t columns, std::uint64_t elementBytes);
  /// An array of `count` structs becomes one array per field. `fields`: where the fields start, ascending,
  /// the first at 0; the last ends with the struct. Each array starts at a multiple of 256, as if allocated
  /// alone.
  static AddressChange structOfArrays(std::uint64_t structBytes, std::uint64_t count,
                                      std::vector<std::uint64_t> fields);

  std::uint64_t map(std::uint64_t offset) const;
  /// How many of `bytes` bytes at `offset` stay together; at least 1.
  std::uint64_t run(std::uint64_t offset, std::uint64_t bytes) const;
  /// Bytes the object takes afterwards.
  std::uint64_t bytesAfter(std::uint64_t bytesBefore) const;

 private:
  enum class Kind { pad, swizzle, swap, fields };
  AddressChange(Kind kind, std::uint64_t rowBytes) : kind_(kind), rowBytes_(rowBytes) {}
  std::size_t fieldAt(std::uint64_t inStruct) const;

  Kind kind_;
  std::uint64_t rowBytes_;  ///< of a row, or of a struct
  std::uint64_t padBytes_ = 0, elementBytes_ = 1, rows_ = 0, columns_ = 0;
  std::vector<std::uint64_t> fields_, arrays_;  ///< where each field starts in a struct; its array's offset
};

/// What the access costs when the object at [address, address + bytes) is changed and starts at
/// `newAddress`. Lanes outside the object stay where they are. An access whose bytes part ways (a struct
/// copied whole) is made piece by piece, as several requests: `requests` says how many.
AccessCost measureChanged(const AccessRecord& record, const AddressChange& change, std::uint64_t address,
                          std::uint64_t bytes, std::uint64_t newAddress, std::uint32_t& requests);

/// The cost as it is.
AccessCost measureRecord(const AccessRecord& record);

AccessCost& operator+=(AccessCost& total, const AccessCost& cost);

}  // namespace cui::db
