// See access_scan.h.
#include "db/analyses/access_scan.h"

#include <algorithm>

#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

class Scan {
 public:
  Scan(const TraceModel& model, const ScanOptions& options, const std::vector<AccessVisitor*>& visitors)
      : model_(model), options_(options), visitors_(visitors) {
    if (options.siteNumbers.empty()) return;
    const std::uint32_t last = *std::max_element(options.siteNumbers.begin(), options.siteNumbers.end());
    wanted_.resize(std::size_t{last} + 1);
    for (const std::uint32_t number : options.siteNumbers) wanted_[number] = true;
  }

  /// False ends the scan.
  bool chunk(Row row) {
    const Launch* const launch = model_.launch(asInteger(row[0]));
    const auto count = static_cast<std::uint64_t>(asInteger(row[2]));
    const auto* const data = std::get_if<Bytes>(&row[4]);
    if (!launch || !data) return true;  // validate tells of records without a launch
    if (launch != launch_) {
      end();
      launch_ = launch;
      for (AccessVisitor* visitor : visitors_) visitor->beginLaunch(*launch);
    }
    chunk_.open(data->data, count, asInteger(row[3]));
    const bool more = records(static_cast<std::uint64_t>(asInteger(row[1])));
    if (!chunk_.error().empty()) {
      error = {ErrorCode::corrupt, "a chunk of launch " + std::to_string(launch->id) +
                                       " is damaged: " + chunk_.error() + "; run cuinstrument validate"};
      return false;
    }
    done_ += count;
    if (options_.progress && options_.progress(done_, total)) {
      error = {ErrorCode::cancelled, "cancelled"};
      return false;
    }
    return more;
  }

  void end() {
    if (!launch_) return;
    for (AccessVisitor* visitor : visitors_) visitor->endLaunch(*launch_);
    launch_ = nullptr;
  }

  Error error;
  std::uint64_t total = 0, scanned = 0;

 private:
  bool records(std::uint64_t sequence) {
    for (; chunk_.next(record_); ++sequence) {
      if (!wanted_.empty() && (record_.siteNumber >= wanted_.size() || !wanted_[record_.siteNumber]))
        continue;
      const Site* const site = model_.site(record_.siteNumber);
      if (!site) continue;
      if (options_.maxRecords != 0 && scanned == options_.maxRecords) return false;
      ++scanned;
      const Access access{record_, *site, *launch_, sequence};
      for (AccessVisitor* visitor : visitors_) visitor->access(access);
    }
    return true;
  }

  const TraceModel& model_;
  const ScanOptions& options_;
  const std::vector<AccessVisitor*>& visitors_;
  std::vector<bool> wanted_;
  const Launch* launch_ = nullptr;
  ChunkReader chunk_;
  AccessRecord record_;
  std::uint64_t done_ = 0;
};

}  // namespace

Error scanAccesses(const TraceReader& reader, const TraceModel& model, const ScanOptions& options,
                   const std::vector<AccessVisitor*>& visitors, std::uint64_t& scanned) {
  Scan scan(model, options, visitors);
  std::string where;
  if (!options.siteNumbers.empty()) {
    const auto [least, most] = std::minmax_element(options.siteNumbers.begin(), options.siteNumbers.end());
    where = " WHERE max_site_number >= " + std::to_string(*least) +
            " AND min_site_number <= " + std::to_string(*most);
  }
  Error error;
  if (options.progress)
    scan.total = static_cast<std::uint64_t>(
        reader.integer("SELECT ifnull(sum(record_count), 0) FROM access_chunk" + where, error));
  if (error) return error;
  error =
      reader.query("SELECT launch_id, first_sequence, record_count, codec_version, data FROM access_chunk" +
                       where + " ORDER BY launch_id, first_sequence",
                   [&scan](Row row) { return scan.chunk(row); });
  scan.end();
  scanned = scan.scanned;
  return error ? error : scan.error;
}

}  // namespace cui::db
