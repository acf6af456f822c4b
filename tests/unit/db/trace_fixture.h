// What the store's tests share: a temporary folder, a small unit table, and warp records by hand.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "db/store/trace_writer.h"

namespace cui::db::test {

using format::AddressForm;
using format::Kind;
using format::Space;
using format::Status;

/// A folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    // In memory where possible: the tests wait for hundreds of fsyncs otherwise.
    const bool memory = access("/dev/shm", W_OK) == 0;
    std::string name =
        (memory ? "/dev/shm" : std::filesystem::temp_directory_path().string()) + "/cui_db_XXXXXX";
    if (!mkdtemp(name.data())) throw std::runtime_error("mkdtemp");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// One unit: kernel `scale` with a global load (site 0), a global store (1), a shared load (2), a
// skipped site (3) and a double load (4).
inline constexpr std::uint64_t loadId = 1001, storeId = 1002, sharedId = 1003, skippedId = 1004,
                               doubleId = 1005;

inline constexpr format::FileEntry files[] = {{"scale.cu", "/src/scale.cu", 0x1234}};
inline constexpr format::SiteEntry sites[] = {
    {loadId, 0, 10, 12, 10, 17, Kind::load, Space::global, Status::instrumented, 4, 0, "scale", "in[i]", "in",
     "i", "const float", "", "", ""},
    {storeId, 0, 10, 3, 10, 9, Kind::store, Space::global, Status::instrumented, 4, 0, "scale", "out[i]",
     "out", "i", "float", "", "", ""},
    {sharedId, 0, 11, 5, 11, 20, Kind::load, Space::shared, Status::instrumented, 4, 1, "scale", "tile[x][y]",
     "tile", "y", "float", "", "", ""},
    {skippedId, 0, 12, 5, 12, 20, Kind::load, Space::generic, Status::skipped, 0, 0, "scale", "f.bit", "f",
     "", "unsigned", "", "", "bit-field"},
    {doubleId, 0, 13, 5, 13, 20, Kind::load, Space::global, Status::instrumented, 8, 0, "scale", "d[i]", "d",
     "i", "T", "", "T=double", ""},
};
inline constexpr format::KernelEntry kernels[] = {{"scale", 0, 8, 17}};
inline constexpr format::LaunchEntry launches[] = {{"scale<float>", "scale", "main", 0, 30, 3, 0}};
inline constexpr format::CallEntry calls[] = {{"cudaMalloc", "main", "d_in", "float", 4, 0, 25, 3},
                                              {"cudaMemcpy", "main", "", "", 0, 0, 27, 3}};
inline constexpr format::VariableEntry variables[] = {
    {"tile", "scale", "float[32][32]", "float", 4, 4096, Space::shared, 0, 0, 9, 3},
    {"scratch", "scale", "float[]", "float", 4, 0, Space::shared, 1, 0, 9, 40},
    {"factor", "", "float", "float", 4, 4, Space::constant, 0, 0, 5, 1}};
inline constexpr format::UnitTable unit = {format::unitFormatVersion,
                                           0xabcd,
                                           "scale.cu",
                                           "0.1",
                                           1,
                                           5,
                                           1,
                                           1,
                                           2,
                                           3,
                                           files,
                                           sites,
                                           kernels,
                                           launches,
                                           calls,
                                           variables};
inline constexpr std::uint32_t siteBase = 7;  // not 0, so that a forgotten base shows

using Slots = std::vector<format::WarpRecord>;  // of 32 bytes, as in the ring

inline format::WarpRecord header(std::uint32_t site, std::uint64_t address, std::int32_t stride,
                                 std::uint32_t mask, std::uint32_t bytes, Space space,
                                 AddressForm form = AddressForm::affine, bool hasValues = false,
                                 std::uint32_t block = 0, std::uint32_t warp = 0) {
  format::WarpRecord r = {};
  r.address = address;
  r.activeMask = mask;
  r.warpAndBytes = format::makeWarpAndBytes(warp, bytes);
  r.flags = format::makeFlags(format::RecordType::access, form, space, hasValues);
  r.siteAndGeneration = (siteBase + site) | 0x5000000u;
  r.block = block;
  r.stride = stride;
  return r;
}

inline void appendBytes(Slots& slots, const void* data, std::size_t bytes) {
  const std::size_t at = slots.size();
  slots.resize(at + (bytes + format::slotBytes - 1) / format::slotBytes);
  std::memcpy(static_cast<void*>(slots.data() + at), data, bytes);
}

inline LaunchRow launchRow(std::uint64_t id, std::uint32_t blocks = 1, std::uint32_t threads = 32) {
  LaunchRow row;
  row.launchId = id;
  row.unit = &unit;
  row.grid[0] = blocks;
  row.block[0] = threads;
  row.hostBeginNs = static_cast<std::int64_t>(1000 * id);
  row.dynamicSharedBytes = 256;
  return row;
}

inline std::unique_ptr<TraceWriter> openWriter(const std::string& path, const WriterOptions& options = {}) {
  Error error;
  auto writer = TraceWriter::open(path, options, error);
  EXPECT_FALSE(error) << error.message;
  if (!writer) return nullptr;
  EXPECT_FALSE(writer->addUnit(unit, siteBase));
  return writer;
}

#define EXPECT_OK(...)                            \
  do {                                            \
    const ::cui::db::Error okError = __VA_ARGS__; \
    EXPECT_FALSE(okError) << okError.message;     \
  } while (false)

}  // namespace cui::db::test
