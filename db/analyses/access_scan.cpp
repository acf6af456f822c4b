// See access_scan.h.
#include "db/analyses/access_scan.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "db/analyses/scan_crew.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

constexpr std::size_t pieceRecords = 4096;  // a chunk's 16,384 would not stay in a core's cache

class Scan {
 public:
  Scan(const TraceModel& model, const ScanOptions& options, const std::vector<AccessVisitor*>& visitors)
      : model_(model), options_(options), crew_(visitors, options.threads) {
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
      begins_ = true;
    }
    if (valuesInUse_) reader_ = std::make_shared<ChunkReader>();
    valuesInUse_ = false;
    reader_->open(data->data, count, asInteger(row[3]));
    const bool more = records(static_cast<std::uint64_t>(asInteger(row[1])));
    if (!reader_->error().empty()) {
      error = {ErrorCode::corrupt, "a chunk of launch " + std::to_string(launch->id) +
                                       " is damaged: " + reader_->error() + "; run cuinstrument validate"};
      return false;
    }
    done_ += count;
    if (options_.progress && options_.progress(done_, total)) {
      error = {ErrorCode::cancelled, "cancelled"};
      return false;
    }
    return more;
  }

  /// The end of the launch, and of all of its accesses.
  void end() {
    if (!launch_) return;
    newPiece().ends = launch_;
    handPiece();
    launch_ = nullptr;
  }
  void finish() {
    if (error) return crew_.stop();
    end();
    const std::string failure = crew_.finish();
    if (!failure.empty()) error = {ErrorCode::internal, failure};
  }

  Error error;
  std::uint64_t total = 0, scanned = 0;

 private:
  bool records(std::uint64_t sequence) {
    bool more = true;
    ScanPiece* piece = &newPiece();
    AccessRecord* record = &piece->records.emplace_back();
    for (; more && reader_->next(*record); ++sequence) {
      if (!wanted_.empty() && (record->siteNumber >= wanted_.size() || !wanted_[record->siteNumber]))
        continue;
      if (record->block < options_.firstBlock || record->block > options_.lastBlock) continue;
      const Site* const site = model_.site(record->siteNumber);
      if (!site) continue;
      if (options_.maxRecords != 0 && scanned == options_.maxRecords) {
        more = false;
        break;
      }
      ++scanned;
      piece->sites.push_back(site);
      piece->sequences.push_back(sequence);
      if (record->values && !piece->values) {
        piece->values = reader_;
        valuesInUse_ = true;
      }
      if (piece->records.size() == pieceRecords) {
        handPiece();
        piece = &newPiece();
      }
      record = &piece->records.emplace_back();
    }
    piece->records.pop_back();  // what the next one would have been read into
    handPiece();
    return more;
  }

  ScanPiece& newPiece() {
    piece_ = crew_.take();
    piece_->launch = launch_;
    if (begins_) piece_->begins = launch_;
    begins_ = false;
    return *piece_;
  }
  void handPiece() { crew_.hand(std::move(piece_)); }

  const TraceModel& model_;
  const ScanOptions& options_;
  ScanCrew crew_;
  std::vector<bool> wanted_;
  const Launch* launch_ = nullptr;
  bool begins_ = false, valuesInUse_ = false;
  std::shared_ptr<ChunkReader> reader_ = std::make_shared<ChunkReader>();
  std::unique_ptr<ScanPiece> piece_;
  std::uint64_t done_ = 0;
};

}  // namespace

Error scanAccesses(const TraceReader& reader, const TraceModel& model, const ScanOptions& options,
                   const std::vector<AccessVisitor*>& visitors, std::uint64_t& scanned) {
  Scan scan(model, options, visitors);
  std::string where = " WHERE true";
  if (!options.siteNumbers.empty()) {
    const auto [least, most] = std::minmax_element(options.siteNumbers.begin(), options.siteNumbers.end());
    where += " AND max_site_number >= " + std::to_string(*least) +
             " AND min_site_number <= " + std::to_string(*most);
  }
  if (options.launchId != 0) where += " AND launch_id = " + std::to_string(options.launchId);
  if (options.firstBlock != 0) where += " AND max_block >= " + std::to_string(options.firstBlock);
  if (options.lastBlock != ~0u) where += " AND min_block <= " + std::to_string(options.lastBlock);
  Error error;
  if (options.progress)
    scan.total = static_cast<std::uint64_t>(
        reader.integer("SELECT ifnull(sum(record_count), 0) FROM access_chunk" + where, error));
  if (error) return error;
  error =
      reader.query("SELECT launch_id, first_sequence, record_count, codec_version, data FROM access_chunk" +
                       where + " ORDER BY launch_id, first_sequence",
                   [&scan](Row row) { return scan.chunk(row); });
  if (error) scan.error = error;
  scan.finish();
  scanned = scan.scanned;
  return scan.error;
}

}  // namespace cui::db
