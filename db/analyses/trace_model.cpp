// See trace_model.h.
#include "db/analyses/trace_model.h"

#include <algorithm>
#include <charconv>

#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

constexpr std::uint32_t maxSiteNumber = 1u << 24;  // a record's bits for it

std::uint32_t small(const Value& value) {
  return static_cast<std::uint32_t>(asInteger(value));
}

format::Kind kindOf(const std::string& name) {
  return name == "store"    ? format::Kind::store
         : name == "rmw"    ? format::Kind::rmw
         : name == "atomic" ? format::Kind::atomic
         : name == "copy"   ? format::Kind::copy
                            : format::Kind::load;
}

Error loadSites(const TraceReader& reader, std::vector<Site>& sites) {
  return reader.query(
      "SELECT site_id, site_number, function, file, line, column, kind, type, bytes, expression, base, "
      "index_expression, template_context FROM site",
      [&](Row row) {
        const std::uint32_t number = small(row[1]);
        if (number > maxSiteNumber) return true;  // of a damaged trace
        if (sites.size() <= number) sites.resize(number + 1);
        Site& site = sites[number];
        site.siteId = asInteger(row[0]);
        site.number = number;
        site.function = asText(row[2]);
        site.file = asText(row[3]);
        site.line = small(row[4]);
        site.column = small(row[5]);
        site.kind = kindOf(asText(row[6]));
        site.type = asText(row[7]);
        site.bytes = small(row[8]);
        site.expression = asText(row[9]);
        site.base = asText(row[10]);
        site.index = asText(row[11]);
        site.templateContext = asText(row[12]);
        return true;
      });
}

Error loadLaunches(const TraceReader& reader, std::vector<Launch>& launches) {
  return reader.query(
      "SELECT launch_id, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, device_id, stream_id, "
      "host_begin_ns, dynamic_shared_bytes FROM launch ORDER BY launch_id",
      [&](Row row) {
        Launch launch;
        launch.id = asInteger(row[0]);
        launch.kernel = asText(row[1]);
        for (std::size_t i = 0; i < 3; ++i) {
          launch.grid[i] = std::max(1u, small(row[2 + i]));
          launch.block[i] = std::max(1u, small(row[5 + i]));
        }
        launch.device = asInteger(row[8]);
        launch.stream = asInteger(row[9]);
        launch.hostBeginNs = asInteger(row[10]);
        launch.dynamicSharedBytes = asUnsigned(row[11]);
        launches.push_back(std::move(launch));
        return true;
      });
}

/// What the queries of allocations and of shared variables have in common: columns 0 and 2 to 8.
Object objectOf(Row row) {
  Object object;
  object.id = asInteger(row[0]);
  object.address = asUnsigned(row[2]);
  object.bytes = asUnsigned(row[3]);
  object.name = asText(row[4]);
  object.type = asText(row[5]);
  object.elementBytes = small(row[6]);
  object.file = asText(row[7]);
  object.line = small(row[8]);
  return object;
}

Error loadAllocations(const TraceReader& reader, std::vector<Object>& allocations) {
  return reader.query(
      "SELECT allocation_id, api, address, bytes, name, type, element_bytes, file, line, allocated_ns, "
      "freed_ns, pitch FROM allocation ORDER BY allocation_id",
      [&](Row row) {
        Object object = objectOf(row);
        object.api = asText(row[1]);
        object.allocatedNs = asInteger(row[9]);
        object.freedNs = asInteger(row[10]);
        object.pitch = asUnsigned(row[11]);
        object.deviceOnly = object.api.starts_with("cudaMalloc") && object.api != "cudaMallocManaged" &&
                            object.api != "cudaMallocHost";
        allocations.push_back(std::move(object));
        return true;
      });
}

Error loadSharedVariables(const TraceReader& reader, std::vector<Object>& variables) {
  return reader.query(
      "SELECT shared_variable_id, launch_id, address, launch_shared_variable.bytes, name, type, "
      "element_bytes, file, line, function FROM launch_shared_variable JOIN shared_variable "
      "USING(shared_variable_id) ORDER BY launch_id, address, launch_shared_variable.bytes",
      [&](Row row) {
        Object object = objectOf(row);
        object.shared = true;
        object.api = "__shared__";
        object.launchId = asInteger(row[1]);
        object.function = asText(row[9]);
        variables.push_back(std::move(object));
        return true;
      });
}

}  // namespace

const Launch* TraceModel::launch(std::int64_t id) const {
  const auto found = std::lower_bound(launches.begin(), launches.end(), id,
                                      [](const Launch& launch, std::int64_t key) { return launch.id < key; });
  return found == launches.end() || found->id != id ? nullptr : &*found;
}

const Site* TraceModel::site(std::uint32_t number) const {
  return number < sites.size() && sites[number].siteId != 0 ? &sites[number] : nullptr;
}

std::pair<const Object*, const Object*> TraceModel::sharedOf(std::int64_t launchId) const {
  const auto less = [](const Object& object, std::int64_t key) { return object.launchId < key; };
  const Object* const end = sharedVariables.data() + sharedVariables.size();
  const Object* const first = std::lower_bound(sharedVariables.data(), end, launchId, less);
  return {first, std::lower_bound(first, end, launchId + 1, less)};
}

Error TraceModel::load(const TraceReader& reader, TraceModel& model) {
  model = {};
  Error error = loadSites(reader, model.sites);
  if (!error) error = loadLaunches(reader, model.launches);
  if (!error) error = loadAllocations(reader, model.allocations);
  if (!error) error = loadSharedVariables(reader, model.sharedVariables);
  return error;
}

std::array<std::uint32_t, 3> unflattened(std::uint64_t index, const std::array<std::uint32_t, 3>& extent) {
  return {static_cast<std::uint32_t>(index % extent[0]),
          static_cast<std::uint32_t>(index / extent[0] % extent[1]),
          static_cast<std::uint32_t>(index / extent[0] / extent[1])};
}

std::string threadName(const Launch& launch, std::uint32_t block, std::uint32_t warp, unsigned lane) {
  const auto triple = [](const std::array<std::uint32_t, 3>& v) {
    return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
  };
  return "block " + triple(unflattened(block, launch.grid)) + ", thread " +
         triple(unflattened(std::uint64_t{warp} * format::lanesPerWarp + lane, launch.block));
}

std::vector<std::uint64_t> dimensionsOf(const std::string& type) {
  std::vector<std::uint64_t> dimensions;
  for (std::size_t open = type.find('['); open != std::string::npos; open = type.find('[', open + 1)) {
    std::uint64_t number = 0;
    const char* const first = type.data() + open + 1;
    const auto [end, failure] = std::from_chars(first, type.data() + type.size(), number);
    if (failure != std::errc() || end == type.data() + type.size() || *end != ']' || number == 0) return {};
    dimensions.push_back(number);
  }
  return dimensions;
}

}  // namespace cui::db
