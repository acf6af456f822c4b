// See site_patterns.h.
#include "db/analyses/site_patterns.h"

#include <array>
#include <bit>
#include <tuple>

#include "db/analyses/access_scan.h"
#include "db/analyses/address_change.h"
#include "db/analyses/live_objects.h"

namespace cui::db {

namespace {

constexpr std::size_t maxShapes = 256;  // of irregular code each access may have its own

struct Shape {
  bool irregular = false, idleBetween = false;
  std::int64_t stride = 0;
  std::uint32_t bytes = 0;
  auto key() const { return std::tuple(irregular, idleBetween, stride, bytes); }
  bool operator<(const Shape& other) const { return key() < other.key(); }
};

struct Gathered {
  std::uint64_t requests = 0, sectors = 0, lanes = 0;
  std::map<std::uint32_t, std::uint64_t> blockWidths;
  std::map<Shape, std::uint64_t> shapes;
  std::array<std::uint64_t, 32> sectorOffsets{};
  std::map<const Object*, std::uint64_t> objects;
  std::map<std::uint32_t, std::uint64_t> fieldOffsets;
  std::uint64_t structRequests = 0, structSectors = 0, soaSectors = 0;
};

template <class Map>
auto mostFrequent(const Map& counts) {
  auto best = counts.begin();
  for (auto each = counts.begin(); each != counts.end(); ++each)
    if (each->second > best->second) best = each;
  return best;
}

class Collector : public AccessVisitor {
 public:
  explicit Collector(const TraceModel& model) : objects_(model) {}

  void beginLaunch(const Launch& launch) override { objects_.advance(launch); }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    if (std::has_single_bit(record.mask)) return;  // one lane has no pattern
    const AccessCost cost = measureRecord(record);
    if (cost.sectors <= cost.idealSectors && cost.wavefronts <= cost.idealWavefronts) return;
    Gathered& site = sites[access.site.siteId];
    ++site.requests;
    site.sectors += cost.sectors;
    site.lanes += static_cast<std::uint64_t>(std::popcount(record.mask));
    ++site.blockWidths[access.launch.block[0]];
    const bool irregular = format::formOf(record.flags) != format::AddressForm::affine;
    const std::uint32_t lanes = record.mask >> std::countr_zero(record.mask);
    const Shape shape{irregular, (lanes & (lanes + 1)) != 0, irregular ? 0 : record.stride, record.bytes};
    if (site.shapes.size() < maxShapes || site.shapes.count(shape) != 0) ++site.shapes[shape];
    ++site.sectorOffsets[record.address % 32];
    const Object* const object = countsSectors(access.space()) ? objects_.find(record.address) : nullptr;
    if (!object) return;
    ++site.objects[object];
    if (!irregular) tryFields(record, *object, site);
  }

  std::map<std::int64_t, Gathered> sites;

 private:
  /// As if the accessed bytes of each struct were an array of their own.
  static void tryFields(const AccessRecord& record, const Object& object, Gathered& site) {
    const std::uint64_t element = object.elementBytes;
    const std::int64_t distance = record.stride < 0 ? -std::int64_t{record.stride} : record.stride;
    if (element == 0 || record.bytes == 0 || record.bytes >= element || distance == 0 ||
        static_cast<std::uint64_t>(distance) % element != 0)
      return;
    const auto field = static_cast<std::uint32_t>((record.address - object.address) % element);
    if (field + record.bytes > element) return;
    std::vector<std::uint64_t> fields = {0};
    if (field != 0) fields.push_back(field);
    if (field + record.bytes < element) fields.push_back(field + record.bytes);
    const AddressChange change =
        AddressChange::structOfArrays(element, object.bytes / element, std::move(fields));
    std::uint32_t pieces = 0;
    ++site.structRequests;
    ++site.fieldOffsets[field];
    site.structSectors += measureRecord(record).sectors;
    site.soaSectors +=
        measureChanged(record, change, object.address, object.bytes, object.address, pieces).sectors;
  }

  LiveObjects objects_;
};

Pattern patternOf(const Gathered& site) {
  Pattern pattern;
  pattern.requests = site.requests;
  pattern.sectors = static_cast<double>(site.sectors) / static_cast<double>(site.requests);
  pattern.lanes = static_cast<double>(site.lanes) / static_cast<double>(site.requests);
  pattern.blockWidth = mostFrequent(site.blockWidths)->first;
  const Shape& shape = mostFrequent(site.shapes)->first;
  pattern.irregular = shape.irregular;
  pattern.idleBetween = shape.idleBetween;
  pattern.stride = shape.stride;
  pattern.bytes = shape.bytes;
  for (std::uint32_t offset = 0; offset < 32; ++offset)
    if (site.sectorOffsets[offset] > site.sectorOffsets[pattern.sectorOffset]) pattern.sectorOffset = offset;
  if (!site.objects.empty()) {
    const Object& object = *mostFrequent(site.objects)->first;
    pattern.object = object.name;
    pattern.objectType = object.type;
    pattern.elementBytes = object.elementBytes;
    pattern.objectId = object.id;
  }
  if (2 * site.structRequests > site.requests) {
    pattern.fieldOffset = mostFrequent(site.fieldOffsets)->first;
    pattern.structSectors =
        static_cast<double>(site.structSectors) / static_cast<double>(site.structRequests);
    pattern.soaSectors = static_cast<double>(site.soaSectors) / static_cast<double>(site.structRequests);
  }
  return pattern;
}

}  // namespace

Error collectPatterns(const TraceReader& reader, const TraceModel& model,
                      const std::set<std::int64_t>& siteIds, std::map<std::int64_t, Pattern>& patterns) {
  ScanOptions options;
  options.maxRecords = trialRecords;
  for (const Site& site : model.sites)
    if (siteIds.count(site.siteId) != 0) options.siteNumbers.push_back(site.number);
  if (options.siteNumbers.empty()) return {};
  Collector collector(model);
  std::uint64_t scanned = 0;
  Error error = scanAccesses(reader, model, options, {&collector}, scanned);
  for (const auto& [siteId, gathered] : collector.sites) patterns[siteId] = patternOf(gathered);
  return error;
}

}  // namespace cui::db
