// See access_cursor.h.
#include "db/store/access_cursor.h"

#include <algorithm>
#include <bit>

#include "db/store/values.h"

namespace cui::db {

namespace {

using enum AccessField;

constexpr AccessColumn accessColumns[] = {
    {"launch_id", "INTEGER", launchId}, {"sequence", "INTEGER", sequence},
    {"site_id", "INTEGER", siteId},     {"block_x", "INTEGER", blockX},
    {"block_y", "INTEGER", blockY},     {"block_z", "INTEGER", blockZ},
    {"warp", "INTEGER", warp},          {"active_mask", "INTEGER", activeMask},
    {"address", "INTEGER", address},    {"stride", "INTEGER", stride},
    {"bytes", "INTEGER", bytes},        {"kind", "TEXT", kind},
    {"space", "TEXT", space},           {"first_lane", "INTEGER", firstLane},
};
constexpr AccessColumn laneColumns[] = {
    {"launch_id", "INTEGER", launchId}, {"sequence", "INTEGER", sequence},
    {"lane", "INTEGER", lane},          {"thread_x", "INTEGER", threadX},
    {"thread_y", "INTEGER", threadY},   {"thread_z", "INTEGER", threadZ},
    {"address", "INTEGER", address},    {"value", "", value},
};
constexpr AccessColumn threadColumns[] = {
    {"launch_id", "INTEGER", launchId}, {"sequence", "INTEGER", sequence},
    {"lane", "INTEGER", lane},          {"site_id", "INTEGER", siteId},
    {"block_x", "INTEGER", blockX},     {"block_y", "INTEGER", blockY},
    {"block_z", "INTEGER", blockZ},     {"warp", "INTEGER", warp},
    {"thread_x", "INTEGER", threadX},   {"thread_y", "INTEGER", threadY},
    {"thread_z", "INTEGER", threadZ},   {"address", "INTEGER", address},
    {"bytes", "INTEGER", bytes},        {"kind", "TEXT", kind},
    {"space", "TEXT", space},           {"value", "", value},
};
constexpr AccessColumn totalColumns[] = {
    {"launch_id", "INTEGER", launchId},
    {"site_id", "INTEGER", siteId},
    {"block_x", "INTEGER", blockX},
    {"block_y", "INTEGER", blockY},
    {"block_z", "INTEGER", blockZ},
    {"warp", "INTEGER", warp},
    {"active_mask", "INTEGER", activeMask},
    {"address", "INTEGER", address},
    {"stride", "INTEGER", stride},
    {"bytes", "INTEGER", bytes},
    {"kind", "TEXT", kind},
    {"space", "TEXT", space},
    {"requests", "INTEGER", requests},
    {"thread_accesses", "INTEGER", threadAccesses},
    {"min_address", "INTEGER", minAddress},
    {"max_address", "INTEGER", maxAddress},
};
constexpr AccessTableShape shapes[] = {{"access", AccessForm::records, accessColumns},
                                       {"access_lane", AccessForm::lanes, laneColumns},
                                       {"thread_access", AccessForm::lanes, threadColumns},
                                       {"access_total", AccessForm::totals, totalColumns}};

}  // namespace

std::span<const AccessTableShape> accessTableShapes() {
  return shapes;
}

std::string declarationOf(const AccessTableShape& shape) {
  std::string text;
  for (const AccessColumn& column : shape.columns)
    text += (text.empty() ? "CREATE TABLE x(" : ", ") + std::string(column.name) + " " + column.type;
  return text + ")";
}

AccessCursor::AccessCursor(const AccessTableShape& shape, std::shared_ptr<AccessSource> source)
    : shape_(shape), lanes_(shape.form == AccessForm::lanes), source_(std::move(source)) {
  source_->enter();
}

AccessCursor::~AccessCursor() {
  chunk_.reset();
  source_->leave();
}

void AccessCursor::start(AccessFilter filter, bool decode) {
  filter_ = std::move(filter);
  chunk_.reset();
  chunks_ = Statement();
  atEnd_ = filter_.impossible();
  if (atEnd_) return;
  limitsSites_ = filter_.limitsSites();
  limitsBlocks_ = filter_[blockX].limited() || filter_[blockY].limited() || filter_[blockZ].limited();
  limitsWarps_ = filter_[warp].limited();
  limitsAddresses_ = filter_[address].limited();
  decode_ = decode || limitsSites_ || limitsBlocks_ || limitsWarps_ || limitsAddresses_;
  wantsAll_ =
      !limitsSites_ && !limitsBlocks_ && !limitsWarps_ && !limitsAddresses_ && !filter_[lane].limited();
  if (filter_[launchId].isOne() && filter_[sequence].isOne() && decode_)
    chunk_ = source_->recall(filter_[launchId].low, filter_[sequence].low, header_);
  if (chunk_) {  // the inner loop of a join: no query
    enterChunk();
  } else {
    chunks_ = source_->findChunks(filter_);
    if (!nextChunk()) return;
  }
  findRecord();
}

bool AccessCursor::nextChunk() {
  while (chunks_.handle() && chunks_.step()) {
    header_ = AccessSource::headerOf(chunks_);
    if (!mayMatch(header_)) continue;
    chunk_.reset();  // so that its memory can be used again
    if (decode_) chunk_ = source_->load(header_);
    enterChunk();
    return true;
  }
  chunks_ = Statement();
  atEnd_ = true;
  return false;
}

/// Tells by a chunk's range of blocks. The others have been looked at by AccessSource::findChunks.
bool AccessCursor::mayMatch(const ChunkHeader& header) {
  if (!limitsBlocks_) return true;
  const LaunchShape& launch = source_->shapeOf(header.launchId);
  // As real numbers: exact for every block there can be, and nothing overflows beyond.
  const auto linear = [&launch](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<double>(x) +
           static_cast<double>(launch.gridX) *
               (static_cast<double>(y) + static_cast<double>(launch.gridY) * static_cast<double>(z));
  };
  const auto low = [this](AccessField field) { return std::max<std::int64_t>(0, filter_[field].low); };
  return linear(low(blockX), low(blockY), low(blockZ)) <= static_cast<double>(header.maxBlock) &&
         linear(std::min(filter_[blockX].high, launch.gridX - 1),
                std::min(filter_[blockY].high, launch.gridY - 1),
                std::min(filter_[blockZ].high, launch.gridZ - 1)) >= static_cast<double>(header.minBlock);
}

void AccessCursor::enterChunk() {
  records_ = chunk_ ? chunk_->records.data() : nullptr;
  launch_ = source_->shapeOf(header_.launchId);
  const Interval& wanted = filter_[sequence];
  index_ =
      std::max<std::int64_t>(0, wanted.low <= header_.firstSequence ? 0 : wanted.low - header_.firstSequence);
  endIndex_ = wanted.high < header_.firstSequence
                  ? 0
                  : std::min(header_.recordCount - 1, wanted.high - header_.firstSequence) + 1;
  lanesLeft_ = 0;
  if (!limitsSites_) return;
  const std::vector<SiteInfo>& sites = source_->sites();
  if (siteWanted_.size() == sites.size() && filter_[sequence].isOne()) return;
  siteWanted_.resize(sites.size());
  for (std::size_t i = 0; i < sites.size(); ++i) siteWanted_[i] = filter_.acceptsSite(sites[i].id);
}

bool AccessCursor::matchesBlock(std::uint32_t block) const {
  return filter_[blockX].contains(launch_.xOf(block)) && filter_[blockY].contains(launch_.yOf(block)) &&
         filter_[blockZ].contains(launch_.zOf(block));
}

bool AccessCursor::matches(const WarpAccess& record) const {
  if (limitsSites_ && !siteWanted_[record.siteNumber]) return false;
  if (limitsWarps_ && !filter_[warp].contains(record.warp)) return false;
  if (limitsBlocks_ && !matchesBlock(record.block)) return false;
  return !limitsAddresses_ || lanes_ || filter_[address].contains(static_cast<std::int64_t>(record.address));
}

/// From index_ on, over chunks.
void AccessCursor::findRecord() {
  do {
    if (!decode_) {
      if (index_ < endIndex_) return;
      continue;
    }
    for (; index_ < endIndex_; ++index_) {
      if (!matches(record())) continue;
      if (!lanes_) return;
      lanesLeft_ = record().mask;
      if (findLane()) return;
    }
  } while (nextChunk());
}

/// The next of lanesLeft_ that is wanted.
bool AccessCursor::findLane() {
  for (; lanesLeft_ != 0; lanesLeft_ &= lanesLeft_ - 1) {
    lane_ = static_cast<std::uint32_t>(std::countr_zero(lanesLeft_));
    if (!filter_[lane].contains(lane_)) continue;
    if (limitsAddresses_ &&
        !filter_[address].contains(static_cast<std::int64_t>(laneAddress(record(), lane_))))
      continue;
    return true;
  }
  return false;
}

/// From the row that next() left.
void AccessCursor::findNext() {
  if (wantsAll_) {
    if (lanes_ && decode_) ++index_;
    return findRecord();
  }
  if (lanes_ && decode_) {
    lanesLeft_ &= lanesLeft_ - 1;
    if (findLane()) return;
  }
  ++index_;
  findRecord();
}

Value AccessCursor::valueOfLane(const WarpAccess& record) const {
  if (!format::hasValues(record.flags)) return {};
  const std::uint32_t before = record.mask & ((std::uint32_t{1} << lane_) - 1);
  const std::size_t at = record.valueAt + static_cast<std::size_t>(std::popcount(before)) * record.bytes;
  const ValueType type = source_->sites()[record.siteNumber].valueTypes.of(record.bytes, launch_.kernel);
  return valueOf(type, chunk_->values.data() + at, record.bytes);
}

Value fieldOf(AccessField field, const WarpAccess& record, const LaunchShape& launch, const SiteInfo& site) {
  switch (field) {
    case siteId:
      return site.id;
    case blockX:
      return launch.xOf(record.block);
    case blockY:
      return launch.yOf(record.block);
    case blockZ:
      return launch.zOf(record.block);
    case warp:
      return std::int64_t{record.warp};
    case address:
      return static_cast<std::int64_t>(record.address);
    case activeMask:
      return std::int64_t{record.mask};
    case stride:
      return isAffine(record) ? Value(std::int64_t{record.stride}) : Value();
    case bytes:
      return std::int64_t{record.bytes};
    case kind:
      return std::string_view(site.kind);
    case space:
      return std::string_view(nameOf(format::spaceOf(record.flags)));
    case firstLane:
      return std::int64_t{std::countr_zero(record.mask)};
    default:
      return {};
  }
}

Value AccessCursor::column(std::size_t index) const {
  const AccessField field = shape_.columns[index].field;
  if (field == launchId) return header_.launchId;
  if (field == sequence) return header_.firstSequence + index_;
  if (!decode_) return {};
  const WarpAccess& now = record();
  switch (field) {
    case lane:
      return std::int64_t{lane_};
    case address:
      return static_cast<std::int64_t>(lanes_ ? laneAddress(now, lane_) : now.address);
    case threadX:
      return thread() % launch_.blockX;
    case threadY:
      return thread() / launch_.blockX % launch_.blockY;
    case threadZ:
      return thread() / (launch_.blockX * launch_.blockY);
    case value:
      return valueOfLane(now);
    default:
      return fieldOf(field, now, launch_, source_->sites()[now.siteNumber]);
  }
}

std::int64_t AccessCursor::rowId() const {
  return header_.id * (std::int64_t{maxChunkRecords} * 32) + index_ * 32 + (lanes_ ? lane_ : 0);
}

}  // namespace cui::db
