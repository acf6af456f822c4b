// values: what the loaded and stored values of a site have in common, where the program was built with
// --values.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>

#include "db/analyses/access_analysis.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/store/value_types.h"

namespace cui::db {

namespace {

constexpr std::uint64_t leastAccesses = 32;  // fewer say nothing
constexpr std::size_t mostDistinct = 16;     // a table of so many takes 4 bits an element
constexpr std::uint64_t leastForDistinct = 1024;
constexpr double mostAccesses = 0.9;

/// A float whose last 13 bits of the mantissa are zero and whose exponent is one that half has.
bool fitsHalf(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 23 & 0xff;
  return (bits & 0x7fffffff) == 0 || ((bits & 0x1fff) == 0 && exponent >= 113 && exponent <= 142);
}

struct ValueCounts {
  ValueType type = ValueType::bytes;
  std::uint32_t bytes = 0;
  std::uint64_t accesses = 0, zeros = 0;
  std::uint64_t warps = 0, uniform = 0;  ///< requests of several lanes at several addresses; of one value
  std::array<std::uint64_t, mostDistinct> distinct{};
  std::size_t distinctCount = 0;
  bool manyDistinct = false, narrowReal = true;
  std::int64_t least = std::numeric_limits<std::int64_t>::max(),
               most = std::numeric_limits<std::int64_t>::min();
  std::uint64_t mostNatural = 0;

  void add(std::uint64_t bits) {
    ++accesses;
    zeros += bits == 0;
    if (!manyDistinct) {
      const auto end = distinct.begin() + static_cast<std::ptrdiff_t>(distinctCount);
      if (std::find(distinct.begin(), end, bits) == end) {
        manyDistinct = distinctCount == mostDistinct;
        if (!manyDistinct) distinct[distinctCount++] = bits;
      }
    }
    if (type == ValueType::signedInteger) {
      const unsigned unused = 64 - 8 * bytes;
      const auto value = static_cast<std::int64_t>(bits << unused) >> unused;
      least = std::min(least, value);
      most = std::max(most, value);
    } else if (type == ValueType::unsignedInteger) {
      mostNatural = std::max(mostNatural, bits);
    } else if (type == ValueType::real && narrowReal) {
      narrowReal = bytes == 4 ? fitsHalf(static_cast<std::uint32_t>(bits)) : fitsFloat(bits);
    }
  }
  static bool fitsFloat(std::uint64_t bits) {
    const auto value = std::bit_cast<double>(bits);
    return value != value || (std::abs(value) <= std::numeric_limits<float>::max() &&
                              static_cast<double>(static_cast<float>(value)) == value);
  }
  /// The bytes that every value fits in; of reals half as many, or as they are.
  std::uint32_t narrowBytes() const {
    if (type == ValueType::real) return narrowReal ? bytes / 2 : bytes;
    if (type != ValueType::signedInteger && type != ValueType::unsignedInteger) return bytes;
    std::uint32_t enough = 1;
    for (; enough < bytes; enough *= 2) {
      if (type == ValueType::unsignedInteger && mostNatural >> (8 * enough) == 0) break;
      const std::int64_t limit = std::int64_t{1} << (8 * enough - 1);
      if (type == ValueType::signedInteger && least >= -limit && most < limit) break;
    }
    return enough;
  }
};

class Values : public AccessAnalysis {
 public:
  explicit Values(const TraceModel& model) : model_(model) {
    for (const Site& site : model.sites) types_.emplace_back(site.type, site.function, site.templateContext);
  }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    if (!record.values || record.bytes == 0 || record.bytes > 8) return;
    const ValueType type = types_[access.site.number].of(record.bytes, access.launch.kernel);
    ValueCounts& counts = counts_[{access.site.number, record.bytes, type}];
    counts.bytes = record.bytes;
    counts.type = type;
    const std::uint8_t* at = record.values;
    std::uint64_t firstBits = 0;
    bool uniform = true;
    const int lanes = std::popcount(record.mask);
    for (int lane = 0; lane < lanes; ++lane, at += record.bytes) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, record.bytes);
      counts.add(bits);
      if (lane == 0) firstBits = bits;
      uniform = uniform && bits == firstBits;
    }
    const bool broadcast = format::formOf(record.flags) == format::AddressForm::affine && record.stride == 0;
    if (lanes < 2 || broadcast) return;
    ++counts.warps;
    counts.uniform += uniform;
  }

  void finish(std::vector<Finding>& findings) override {
    for (const auto& [key, counts] : counts_) judge(std::get<0>(key), counts, findings);
    stableSort(findings,
               [](const Finding& a, const Finding& b) { return a.numbers[0].second > b.numbers[0].second; });
    if (!counts_.empty()) return;
    Finding note;
    note.verdict = "this trace has no values: they are recorded where the program is built with --values";
    findings.push_back(std::move(note));
  }

 private:
  /// Instantiations of a template whose elements differ are looked at apart.
  using Key = std::tuple<std::uint32_t, std::uint32_t, ValueType>;  ///< site number, bytes, type

  void judge(std::uint32_t siteNumber, const ValueCounts& counts, std::vector<Finding>& findings) const;

  const TraceModel& model_;
  std::vector<ValueTypes> types_;  ///< by site number
  std::map<Key, ValueCounts> counts_;
};

std::string spelled(const ValueCounts& counts, std::uint64_t bits) {
  if (counts.type == ValueType::unsignedInteger) return std::to_string(bits);
  if (counts.type == ValueType::signedInteger) return std::to_string(counts.least);  // the only one
  if (counts.type == ValueType::real)
    return formatted("%g", counts.bytes == 4 ? double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))}
                                             : std::bit_cast<double>(bits));
  return formatted("0x%llx", static_cast<unsigned long long>(bits));
}

/// Which instantiation of a template it is.
std::string constantName(const ValueCounts& counts) {
  const char* name = "elements";
  switch (counts.type) {
    case ValueType::signedInteger:
      name = "signed integers";
      break;
    case ValueType::unsignedInteger:
      name = "unsigned integers";
      break;
    case ValueType::real:
    case ValueType::half:
    case ValueType::bfloat16:
      name = "real numbers";
      break;
    case ValueType::bytes:
      break;
  }
  return formatted("%s of %u bytes", name, counts.bytes);
}

/// The most telling of what holds.
void Values::judge(std::uint32_t siteNumber, const ValueCounts& counts,
                   std::vector<Finding>& findings) const {
  if (counts.accesses < leastAccesses) return;
  const Site& site = model_.sites[siteNumber];
  Finding finding;
  static_cast<Place&>(finding) = site;
  const double accesses = static_cast<double>(counts.accesses);
  const std::uint32_t narrow = counts.narrowBytes();
  const char* const verb = site.writes() ? "stored" : "loaded";
  finding.numbers = {{"values", accesses},
                     {"zeros", static_cast<double>(counts.zeros)},
                     {"distinct", counts.manyDistinct ? -1.0 : static_cast<double>(counts.distinctCount)},
                     {"narrow_bytes", narrow},
                     {"uniform_requests", static_cast<double>(counts.uniform)}};
  if (counts.distinctCount == 1 && !counts.manyDistinct) {
    finding.severity = Finding::Severity::warning;
    finding.verdict =
        formatted("constant: each of %llu %s values is %s", static_cast<unsigned long long>(counts.accesses),
                  verb, spelled(counts, counts.distinct[0]).c_str());
    finding.suggestion = site.writes() ? "cudaMemset, or leave out the store where it is there already"
                                       : "pass it as an argument, or treat this case apart";
  } else if (static_cast<double>(counts.zeros) >= mostAccesses * accesses) {
    finding.verdict = formatted("mostly zero: %.0f %% of %llu %s values",
                                100 * static_cast<double>(counts.zeros) / accesses,
                                static_cast<unsigned long long>(counts.accesses), verb);
    finding.suggestion = "a sparse form stores and loads only the rest";
  } else if (!counts.manyDistinct && counts.accesses >= leastForDistinct) {
    finding.verdict = formatted("few values: %zu different ones among %llu %s", counts.distinctCount,
                                static_cast<unsigned long long>(counts.accesses), verb);
    finding.suggestion = "a table of them and a small index for each element move fewer bytes";
  } else if (counts.warps != 0 && counts.uniform == counts.warps && counts.warps > 1) {
    finding.verdict =
        formatted("duplicated: in each of %llu requests all lanes have one value, at several addresses",
                  static_cast<unsigned long long>(counts.warps));
    finding.suggestion = "one element for each warp would do";
  } else if (narrow < counts.bytes) {
    finding.verdict = formatted("narrow: each of %llu %s values fits in %u of %u bytes",
                                static_cast<unsigned long long>(counts.accesses), verb, narrow, counts.bytes);
    finding.suggestion = "a narrower element type moves fewer bytes, if all inputs are like this one";
  } else {
    return;
  }
  if (types_[siteNumber].several()) finding.verdict += " (" + constantName(counts) + ")";
  finding.why = "values of this run; another input may have others";
  findings.push_back(std::move(finding));
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeValues(const TraceReader&, const TraceModel& model,
                                           const AnalysisOptions&, Error&) {
  return std::make_unique<Values>(model);
}

}  // namespace cui::db
