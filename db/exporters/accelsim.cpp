// accelsim: the memory instructions of each launch as Accel-Sim's trace-driven simulator reads them
// (gpu-simulator/trace-parser there): kernelslist.g with copies and kernels in order, and a kernel-N.traceg
// for each launch. Blocks follow one another there, whole, and in a trace they do not: a launch is read in
// ranges of blocks that fit in memory.
#include <algorithm>
#include <array>
#include <map>
#include <ostream>

#include "db/analyses/access_lanes.h"
#include "db/analyses/access_scan.h"
#include "db/exporters/output_file.h"
#include "db/exporters/trace_formats.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

using format::Space;

constexpr std::uint64_t recordsPerRange = 1 << 17;
constexpr std::uint64_t mostBlockThreads = 1024,
                        mostBlocks = std::uint64_t{1} << 32;  // of a block; that a record can tell apart
// Volta's, whose opcodes all configurations know.
constexpr int binaryVersion = 70, tracerVersion = 3, registersPerThread = 32;
// Only generic instructions need to know where the windows lie; there are none.
constexpr const char* windows =
    "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f8000000000\n";

/// One line of a warp's instructions: what the simulator needs of an access.
struct Step {
  std::uint64_t sequence = 0;
  std::string text;
  unsigned instructions = 1;
};

/// Instructions move 1, 2, 4, 8 or 16 bytes a lane.
std::uint32_t pieceOf(std::uint32_t bytes) {
  for (const std::uint32_t piece : {16u, 8u, 4u, 2u})
    if (bytes >= piece) return piece;
  return 1;
}

const char* widthOf(std::uint32_t bytes) {
  return bytes == 16 ? ".128" : bytes == 8 ? ".64" : bytes == 2 ? ".U16" : bytes == 1 ? ".U8" : "";
}

void appendHex(std::string& text, std::uint64_t value, unsigned digits) {
  std::array<char, 16> reversed;
  unsigned count = 0;
  for (; value != 0 || count < digits; value >>= 4) reversed[count++] = "0123456789abcdef"[value & 15];
  while (count > 0) text += reversed[--count];
}

/// "pc mask destinations opcode sources width addresses", with the lanes' addresses `offset` bytes on.
void appendInstruction(std::string& text, std::uint64_t pc, const AccessRecord& record, const char* opcode,
                       bool loads, std::uint32_t offset, std::uint32_t bytes) {
  appendHex(text, pc, 4);
  text += ' ';
  appendHex(text, record.mask, 8);
  text += loads ? " 1 R1 " : " 0 ";
  text += opcode;
  text += widthOf(bytes);
  text += loads ? " 1 R2 " : " 2 R2 R1 ";
  text += std::to_string(bytes);
  // The short form counts lanes from the first active one to the first that is not.
  const std::uint32_t lanes = record.mask >> std::countr_zero(record.mask);
  if (format::formOf(record.flags) == format::AddressForm::affine && (lanes & (lanes + 1)) == 0) {
    text += " 1 0x";
    appendHex(text, record.address + offset, 1);
    text += ' ' + std::to_string(record.stride);
  } else {
    text += " 0";
    eachLane(record, [&](std::uint64_t address) {
      text += " 0x";
      appendHex(text, address + offset, 1);
    });
  }
  text += '\n';
}

Step stepOf(const Access& access) {
  Step step;
  step.sequence = access.sequence;
  step.instructions = 0;
  const Space space = access.space();
  const char* const load = space == Space::shared     ? "LDS"
                           : space == Space::local    ? "LDL"
                           : space == Space::constant ? "LDC"
                                                      : "LDG.E";
  const char* const store = space == Space::shared ? "STS" : space == Space::local ? "STL" : "STG.E";
  const bool atomic = access.site.kind == format::Kind::atomic;
  const std::uint64_t pc = 16 + 32 * std::uint64_t{access.site.number};
  for (std::uint32_t offset = 0; offset < access.record.bytes;) {
    const std::uint32_t bytes = pieceOf(access.record.bytes - offset);
    const auto add = [&](const char* opcode, bool loads, std::uint64_t at) {
      appendInstruction(step.text, at, access.record, opcode, loads, offset, bytes);
      ++step.instructions;
    };
    if (atomic) {
      add(space == Space::shared ? "ATOMS.ADD" : "ATOMG.E.ADD", true, pc);
    } else {
      // Which side of a struct copy it is, the source does not tell: a load.
      if (access.site.reads() || !access.site.writes()) add(load, true, pc);
      if (access.site.writes()) add(store, false, pc + 16);
    }
    offset += bytes;
  }
  return step;
}

/// The steps of some blocks, by block and warp.
class LaunchCollector : public AccessVisitor {
 public:
  void access(const Access& access) override {
    if (access.record.bytes != 0) steps[{access.record.block, access.record.warp}].push_back(stepOf(access));
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Step>> steps;
};

class LaunchWriter {
 public:
  LaunchWriter(const TraceReader& reader, const TraceModel& model, const Launch& launch, std::ostream& out)
      : reader_(reader), model_(model), launch_(launch), out_(out) {}

  void header() {
    std::uint64_t shared = launch_.dynamicSharedBytes;
    const auto [first, last] = model_.sharedOf(launch_.id);
    for (const Object* each = first; each != last; ++each)
      shared = std::max(shared, each->address + each->bytes);
    const auto triple = [](const std::array<std::uint32_t, 3>& v) {
      return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
    };
    std::string name = launch_.kernel;  // one word, as a mangled name is
    std::replace_if(name.begin(), name.end(), [](unsigned char c) { return c <= ' '; }, '_');
    out_ << "-kernel name = " << name << "\n-kernel id = " << launch_.id
         << "\n-grid dim = " << triple(launch_.grid) << "\n-block dim = " << triple(launch_.block)
         << "\n-shmem = " << shared << "\n-nregs = " << registersPerThread
         << "\n-binary version = " << binaryVersion << "\n-cuda stream id = " << launch_.stream << '\n'
         << windows << "-nvbit version = none\n-accelsim tracer version = " << tracerVersion
         << "\n\n#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
            "[adrrescompress?] "
            "[mem_addresses]\n\n";
  }

  Error blocks(const ExportOptions& options) {
    const std::uint64_t plane = std::uint64_t{launch_.grid[0]} * launch_.grid[1],
                        count = plane * launch_.grid[2];
    const std::uint64_t threads = std::uint64_t{launch_.block[0]} * launch_.block[1];
    if (plane > mostBlocks || count > mostBlocks || threads > mostBlockThreads ||
        threads * launch_.block[2] > mostBlockThreads)
      return {ErrorCode::corrupt, "launch " + std::to_string(launch_.id) +
                                      " has an impossible grid or block; run cuinstrument validate"};
    Error error;
    const auto records = static_cast<std::uint64_t>(std::max<std::int64_t>(
        1, reader_.integer("SELECT ifnull(sum(record_count), 0) FROM access_chunk WHERE launch_id = " +
                               std::to_string(launch_.id),
                           error)));
    if (error) return error;
    const std::uint64_t range = std::clamp<std::uint64_t>(count * recordsPerRange / records, 1, 1 << 16);
    for (std::uint64_t first = 0; first < count; first += range) {
      const std::uint64_t last = std::min(count, first + range) - 1;
      LaunchCollector collector;
      ScanOptions scan;
      scan.launchId = launch_.id;
      scan.firstBlock = static_cast<std::uint32_t>(first);
      scan.lastBlock = static_cast<std::uint32_t>(last);
      scan.threads = 1;
      // Each range reads on from about where the one before ended: blocks are a measure of what is done.
      scan.progress = [&](std::uint64_t, std::uint64_t) {
        return !out_ || (options.progress && options.progress(first, count));
      };
      std::uint64_t scanned = 0;
      error = scanAccesses(reader_, model_, scan, {&collector}, scanned);
      std::map<std::uint32_t, std::vector<std::uint64_t>> barriers;
      if (!error) error = readBarriers(first, last, barriers);
      if (error) return error;
      for (std::uint64_t block = first; block <= last; ++block)
        writeBlock(static_cast<std::uint32_t>(block), collector, barriers[static_cast<std::uint32_t>(block)]);
    }
    return {};
  }

 private:
  Error readBarriers(std::uint64_t first, std::uint64_t last,
                     std::map<std::uint32_t, std::vector<std::uint64_t>>& barriers) {
    return reader_.query(
        "SELECT block, sequence FROM barrier WHERE launch_id = " + std::to_string(launch_.id) +
            " AND block BETWEEN " + std::to_string(first) + " AND " + std::to_string(last) +
            " ORDER BY block, sequence",
        [&](Row row) {
          barriers[static_cast<std::uint32_t>(asInteger(row[0]))].push_back(asUnsigned(row[1]));
          return true;
        });
  }

  void writeBlock(std::uint32_t block, const LaunchCollector& collector,
                  const std::vector<std::uint64_t>& barriers) {
    const std::array<std::uint32_t, 3> at = unflattened(block, launch_.grid);
    out_ << "#BEGIN_TB\n\nthread block = " << at[0] << ',' << at[1] << ',' << at[2] << "\n\n";
    const std::uint32_t threads = launch_.threadsPerBlock(),
                        warps = (threads + format::lanesPerWarp - 1) / format::lanesPerWarp;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      const std::uint32_t lanes = std::min(format::lanesPerWarp, threads - warp * format::lanesPerWarp);
      const auto found = collector.steps.find({block, warp});
      writeWarp(warp, found == collector.steps.end() ? std::vector<Step>() : found->second, barriers,
                lanes == format::lanesPerWarp ? ~0u : (1u << lanes) - 1);
    }
    out_ << "#END_TB\n\n";
  }

  /// All warps of a block come to all its barriers, and to the end.
  void writeWarp(std::uint32_t warp, const std::vector<Step>& steps,
                 const std::vector<std::uint64_t>& barriers, std::uint32_t mask) {
    std::size_t instructions = barriers.size() + 1;
    for (const Step& step : steps) instructions += step.instructions;
    out_ << "warp = " << warp << "\ninsts = " << instructions << '\n';
    const auto plain = [&](const char* pc, const char* opcode) {
      std::string text = pc;
      text += ' ';
      appendHex(text, mask, 8);
      out_ << text << " 0 " << opcode << " 0 0\n";
    };
    auto barrier = barriers.begin();
    for (const Step& step : steps) {
      for (; barrier != barriers.end() && *barrier <= step.sequence; ++barrier) plain("0000", "BAR.SYNC");
      out_ << step.text;
    }
    for (; barrier != barriers.end(); ++barrier) plain("0000", "BAR.SYNC");
    plain("0008", "EXIT");
    out_ << '\n';
  }

  const TraceReader& reader_;
  const TraceModel& model_;
  const Launch& launch_;
  std::ostream& out_;
};

/// What the list names, in the order of the program.
struct Command {
  std::int64_t launchId = 0;  ///< 0: a copy
  std::uint64_t address = 0, bytes = 0;
};

Error readCommands(const TraceReader& reader, const ExportOptions& options, std::vector<Command>& commands) {
  return reader.query(
      "SELECT begin_ns, 0, destination, bytes FROM memory_operation WHERE direction = 'host_to_device' AND "
      "error = 0 "
      "UNION ALL SELECT host_begin_ns, launch_id, 0, 0 FROM launch WHERE error = 0 ORDER BY 1, 2",
      [&](Row row) {
        const std::int64_t launch = asInteger(row[1]);
        if (launch == 0 || options.launchId == 0 || options.launchId == launch)
          commands.push_back({launch, asUnsigned(row[2]), asUnsigned(row[3])});
        return true;
      });
}

}  // namespace

Error exportAccelsim(const TraceReader& reader, const ExportOptions& options) {
  if (!keepsAccesses(reader)) return {ErrorCode::sql, reader.path() + ": " + noAccesses};
  TraceModel model;
  std::vector<Command> commands;
  Error error = TraceModel::load(reader, model);
  if (!error) error = readCommands(reader, options, commands);
  if (!error) error = makeFolder(options.path);
  if (error) return error;
  OutputFile list(options.path + "/kernelslist.g");
  for (const Command& command : commands) {
    if (command.launchId == 0) {
      std::string address;
      appendHex(address, command.address, 16);
      list.stream() << "MemcpyHtoD,0x" << address << ',' << command.bytes << '\n';
      continue;
    }
    const std::string name = "kernel-" + std::to_string(command.launchId) + ".traceg";
    OutputFile file(options.path + "/" + name);
    LaunchWriter writer(reader, model, *model.launch(command.launchId), file.stream());
    writer.header();
    error = writer.blocks(options);
    if (file.failed()) return file.finish();
    if (!error) error = file.finish();
    if (error) return error;
    list.stream() << name << '\n';
  }
  return list.finish();
}

}  // namespace cui::db
