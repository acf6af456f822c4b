// The small tables of a trace in memory: what an analysis needs to say whose access a record is.
// Bounded by the program (sites, variables) and its host calls (launches, allocations), not by accesses.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cuinstrument/format/record.h"
#include "db/analyses/analyses.h"
#include "db/store/error.h"

namespace cui::db {

class TraceReader;

/// A row of `site`.
struct Site : Place {
  std::uint32_t number = 0;
  format::Kind kind = format::Kind::load;
  std::string type, index, templateContext;
  std::uint32_t bytes = 0;

  // Which side of a struct copy a `copy` is, the source does not tell.
  bool reads() const {
    return kind == format::Kind::load || kind == format::Kind::rmw || kind == format::Kind::atomic;
  }
  bool writes() const {
    return kind == format::Kind::store || kind == format::Kind::rmw || kind == format::Kind::atomic;
  }
};

/// A row of `launch`.
struct Launch {
  std::int64_t id = 0;
  std::string kernel;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::int64_t device = 0, stream = 0;
  std::int64_t hostBeginNs = 0;
  std::uint64_t dynamicSharedBytes = 0;

  std::uint32_t threadsPerBlock() const { return block[0] * block[1] * block[2]; }
};

/// Something with a name and an extent: a row of `allocation`, or a shared variable in one launch.
struct Object {
  std::string name, type, api, file;
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t elementBytes = 0, line = 0;
  std::uint64_t pitch = 0;
  bool shared = false;
  bool deviceOnly = false;                    ///< nobody but copies, fills and kernels can write it
  std::int64_t id = 0;                        ///< allocation_id or shared_variable_id
  std::int64_t launchId = 0;                  ///< of a shared variable
  std::int64_t allocatedNs = 0, freedNs = 0;  ///< freedNs 0: never
  std::string function;                       ///< a shared variable's kernel; "" at file scope

  bool holds(std::uint64_t where) const { return where - address < bytes; }
};

struct TraceModel {
  std::vector<Site> sites;              ///< by site number; id 0 where there is none
  std::vector<Launch> launches;         ///< by id
  std::vector<Object> allocations;      ///< by id
  std::vector<Object> sharedVariables;  ///< by launch and address

  const Launch* launch(std::int64_t id) const;
  const Site* site(std::uint32_t number) const;
  /// The launch's shared variables, by address.
  std::pair<const Object*, const Object*> sharedOf(std::int64_t launchId) const;

  static Error load(const TraceReader& reader, TraceModel& model);
};

/// Coordinates of a linear index.
std::array<std::uint32_t, 3> unflattened(std::uint64_t index, const std::array<std::uint32_t, 3>& extent);

/// "block (1,0,0), thread (3,0,0)"
std::string threadName(const Launch& launch, std::uint32_t block, std::uint32_t warp, unsigned lane);

/// The numbers of `float[32][33]`: {32, 33}. Empty if one is not a number.
std::vector<std::uint64_t> dimensionsOf(const std::string& type);

}  // namespace cui::db
