// See array_shape.h.
#include "db/analyses/array_shape.h"

#include <array>
#include <bit>
#include <cstdlib>
#include <vector>

#include "db/analyses/access_lanes.h"
#include "db/analyses/access_scan.h"
#include "db/analyses/live_objects.h"

namespace cui::db {

namespace {

constexpr std::uint64_t recordsPerLaunch = 20'000;
constexpr std::size_t launchesPerKernel = 4;  // buffers that are swapped take turns
constexpr std::size_t mostLaunches = 64;
constexpr std::size_t mostDistances = 64;  // of random accesses each may be another
constexpr std::size_t warpsPerBlock = 32;

/// Which distance most accesses have.
class Votes {
 public:
  void add(std::uint64_t distance) {
    ++all_;
    const auto found = counts_.find(distance);
    if (found != counts_.end())
      ++found->second;
    else if (counts_.size() < mostDistances)
      counts_[distance] = 1;
  }
  /// 0: none has `share` of the votes.
  std::uint64_t winner(double share) const {
    for (const auto& [distance, count] : counts_)
      if (static_cast<double>(count) >= share * static_cast<double>(all_)) return distance;
    return 0;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;
  std::uint64_t all_ = 0;
};

std::uint64_t distanceOf(std::uint64_t a, std::uint64_t b) {
  return a < b ? b - a : a - b;
}

/// A declared array of two or more dimensions, or an allocation with a pitch.
ArrayShape declaredShape(const Object& object) {
  if (object.pitch != 0) return {object.pitch, "its pitch"};
  const std::vector<std::uint64_t> dimensions = dimensionsOf(object.type);
  if (dimensions.size() < 2) return {};
  std::uint64_t rows = 1;
  for (std::size_t i = 0; i + 1 < dimensions.size(); ++i) rows *= dimensions[i];
  return object.bytes % rows == 0 ? ArrayShape{object.bytes / rows, "its declaration"} : ArrayShape{};
}

/// At least two rows of at least two elements.
bool fits(const Object& object, std::uint64_t rowBytes) {
  const std::uint64_t element = std::max(1u, object.elementBytes);
  return rowBytes >= 2 * element && rowBytes % element == 0 && rowBytes <= object.bytes / 2;
}

class ShapeVotes : public AccessVisitor {
 public:
  explicit ShapeVotes(const TraceModel& model) : objects_(model) {}

  void beginLaunch(const Launch& launch) override {
    objects_.beginLaunch(launch);
    sites_.clear();
  }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    if (record.bytes == 0 || access.space() == format::Space::local || std::has_single_bit(record.mask))
      return;
    const Object* const object = objects_.find(record.address, access.space());
    if (!object) return;
    Evidence& evidence = votes[object];
    if (format::formOf(record.flags) == format::AddressForm::affine)
      fromStride(record, *object, evidence);
    else
      fromRuns(record, evidence);
    fromOthers(access, evidence);
  }

  struct Evidence {
    Votes rows;   ///< neighbouring lanes, rows of a block or of a grid
    Votes steps;  ///< what a warp accessed with one expression, one after the other
  };
  std::map<const Object*, Evidence> votes;

 private:
  /// The site's accesses by the block that was seen last.
  struct Earlier {
    std::uint32_t block = ~0u, mask = 0;
    std::array<std::uint64_t, warpsPerBlock> first{}, last{};  ///< by warp; 0: none yet
    std::uint32_t column = ~0u;                                ///< the last block with blockIdx.x of 0
    std::uint64_t columnFirst = 0;                             ///< where its first warp began
  };

  /// Lanes that run down a column. Lanes a struct apart do not.
  static void fromStride(const AccessRecord& record, const Object& object, Evidence& evidence) {
    const auto distance = static_cast<std::uint64_t>(std::llabs(record.stride));
    if (distance > record.bytes && distance > object.elementBytes) evidence.rows.add(distance);
  }

  /// Lanes in runs of neighbours or of one element: the rows of a block narrower than a warp.
  static void fromRuns(const AccessRecord& record, Evidence& evidence) {
    std::array<std::uint64_t, format::lanesPerWarp> starts;
    std::size_t runs = 0, lanes = 0;
    std::uint64_t before = 0;
    eachLane(record, [&](std::uint64_t address) {
      if (lanes++ == 0 || distanceOf(address, before) > record.bytes) starts[runs++] = address;
      before = address;
    });
    if (runs * 2 > lanes) return;
    for (std::size_t i = 1; i < runs; ++i) evidence.rows.add(distanceOf(starts[i], starts[i - 1]));
  }

  void fromOthers(const Access& access, Evidence& evidence) {
    const AccessRecord& record = access.record;
    const auto& block = access.launch.block;
    const auto& grid = access.launch.grid;
    const std::uint32_t warp = record.warp % warpsPerBlock;
    Earlier& earlier = sites_[record.siteNumber];
    if (record.mask != earlier.mask || record.block != earlier.block) {
      earlier.block = record.block;
      earlier.mask = record.mask;
      earlier.first = earlier.last = {};
      if (warp == 0 && block[1] == 1 && record.block % grid[0] == 0) {
        if (earlier.column != ~0u && earlier.column + grid[0] == record.block)
          vote(distanceOf(record.address, earlier.columnFirst), record, evidence.rows);
        earlier.column = record.block;
        earlier.columnFirst = record.address;
      }
    }
    if (earlier.last[warp] != 0) {
      const std::uint64_t step = distanceOf(record.address, earlier.last[warp]);
      // Steps of the block's or the grid's size are how a list is shared out, and no rows.
      const std::uint64_t ofBlock = std::uint64_t{access.launch.threadsPerBlock()} * record.bytes;
      if (step != ofBlock && step != ofBlock * grid[0] * grid[1] * grid[2])
        vote(step, record, evidence.steps);
    } else {
      earlier.first[warp] = record.address;
      const std::uint32_t warpsPerRow = block[0] / format::lanesPerWarp;
      if (block[0] % format::lanesPerWarp == 0 && block[1] > 1 && warp >= warpsPerRow &&
          earlier.first[warp - warpsPerRow] != 0) {
        const std::uint64_t distance = distanceOf(record.address, earlier.first[warp - warpsPerRow]);
        // A block's threads side by side, numbered through: a list.
        if (distance != std::uint64_t{block[0]} * record.bytes) vote(distance, record, evidence.rows);
      }
    }
    earlier.last[warp] = record.address;
  }

  static void vote(std::uint64_t distance, const AccessRecord& record, Votes& votes) {
    const Span span = spanOf(record);
    if (distance > span.high - span.low) votes.add(distance);
  }

  AccessedObjects objects_;
  std::map<std::uint32_t, Earlier> sites_;
};

}  // namespace

Error ArrayShapes::load(const TraceReader& reader, const TraceModel& model, ArrayShapes& shapes) {
  ShapeVotes visitor(model);
  std::map<std::string, std::size_t> seen;
  std::size_t looked = 0;
  for (const Launch& launch : model.launches) {
    if (looked == mostLaunches) break;
    if (seen[launch.kernel]++ >= launchesPerKernel) continue;
    ++looked;
    ScanOptions options;
    options.launchId = launch.id;
    options.maxRecords = recordsPerLaunch;
    options.threads = 1;
    std::uint64_t scanned = 0;
    if (Error error = scanAccesses(reader, model, options, {&visitor}, scanned)) return error;
  }
  const auto keep = [&shapes](const Object& object, const ArrayShape& shape) {
    if (shape.rowBytes != 0 && fits(object, shape.rowBytes)) shapes.shapes_[&object] = shape;
  };
  for (const auto& [object, evidence] : visitor.votes) {
    keep(*object, {evidence.steps.winner(0.8), "the steps of a loop"});
    keep(*object, {evidence.rows.winner(0.5), "the distances between threads"});
  }
  for (const auto* objects : {&model.allocations, &model.sharedVariables})
    for (const Object& object : *objects) keep(object, declaredShape(object));
  return {};
}

const ArrayShape* ArrayShapes::find(const Object& object) const {
  const auto found = shapes_.find(&object);
  return found == shapes_.end() ? nullptr : &found->second;
}

}  // namespace cui::db
