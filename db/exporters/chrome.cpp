// chrome: what the host and the streams did over time, in the Trace Event Format that Perfetto and
// chrome://tracing read: one JSON object with complete events ("X"), flows from launch to kernel ("s", "f"),
// counters ("C") and names of tracks ("M"). Times are microseconds from the start of the recording.
#include <map>
#include <ostream>
#include <utility>

#include "db/exporters/json_text.h"
#include "db/exporters/output_file.h"
#include "db/exporters/trace_formats.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

constexpr std::int64_t hostTrack = 1, firstStreamTrack = 2;

class Timeline {
 public:
  Timeline(std::ostream& out, std::int64_t process) : out_(out), process_(process) {
    out_ << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  }

  /// Opens an event; its arguments follow, then end().
  void begin(const char* phase, std::string_view name, std::int64_t track, std::int64_t ns) {
    out_ << (events_++ == 0 ? "\n" : ",\n") << "{\"ph\": \"" << phase << "\", \"pid\": " << process_
         << ", \"tid\": " << track << ", \"name\": ";
    writeJsonString(out_, name);
    if (*phase != 'M') number("ts", ns);
    arguments_ = false;
  }
  void category(const char* name) { out_ << ", \"cat\": \"" << name << '"'; }
  /// Nanoseconds as the format's microseconds.
  void number(const char* key, std::int64_t ns) {
    const std::int64_t whole = ns / 1000, rest = ns % 1000;
    out_ << ", \"" << key << "\": " << whole << '.' << static_cast<char>('0' + rest / 100)
         << static_cast<char>('0' + rest / 10 % 10) << static_cast<char>('0' + rest % 10);
  }
  void raw(const char* text) { out_ << text; }
  void id(std::int64_t value) { out_ << ", \"id\": " << value; }
  void argument(const char* key, std::int64_t value) { separate(key) << value; }
  void argument(const char* key, std::string_view value) { writeJsonString(separate(key), value); }
  void end() { out_ << (arguments_ ? "}}" : "}"); }

  void nameTrack(std::int64_t track, std::string_view name) {
    begin("M", "thread_name", track, 0);
    argument("name", name);
    end();
  }
  void close() { out_ << "\n]}\n"; }

 private:
  std::ostream& separate(const char* key) {
    out_ << (arguments_ ? ", \"" : ", \"args\": {\"") << key << "\": ";
    arguments_ = true;
    return out_;
  }

  std::ostream& out_;
  std::int64_t process_;
  std::uint64_t events_ = 0;
  bool arguments_ = false;
};

class ChromeExport {
 public:
  ChromeExport(const TraceReader& reader, Timeline& timeline, std::int64_t beginNs)
      : reader_(reader), timeline_(timeline), beginNs_(beginNs) {}

  Error run(std::string_view program) {
    timeline_.begin("M", "process_name", hostTrack, 0);
    timeline_.argument("name", program);
    timeline_.end();
    timeline_.nameTrack(hostTrack, "host calls");
    Error error = launches();
    if (!error) error = hostCalls();
    if (!error) error = memory();
    if (!error) error = phases();
    return error;
  }

 private:
  std::int64_t at(const Value& ns) const { return asInteger(ns) - beginNs_; }

  std::int64_t streamTrack(std::int64_t device, std::int64_t stream) {
    const auto [found, fresh] = streams_.emplace(
        std::pair(device, stream), firstStreamTrack + static_cast<std::int64_t>(streams_.size()));
    if (fresh)
      timeline_.nameTrack(found->second,
                          "device " + std::to_string(device) +
                              (stream == 0 ? " default stream" : " stream " + std::to_string(stream)));
    return found->second;
  }

  void complete(const char* category, std::string_view name, std::int64_t track, std::int64_t begin,
                std::int64_t end) {
    timeline_.begin("X", name, track, begin);
    timeline_.number("dur", std::max<std::int64_t>(0, end - begin));
    timeline_.category(category);
  }

  /// The call on the host's track, the kernel on its stream's, and an arrow between.
  Error launches() {
    return reader_.query(
        "SELECT l.launch_id, l.kernel, l.device_id, l.stream_id, l.host_begin_ns, ifnull(l.host_end_ns, "
        "l.host_begin_ns), ifnull(l.gpu_begin_ns, l.host_begin_ns), coalesce(l.gpu_end_ns, l.host_end_ns, "
        "l.host_begin_ns), l.grid_x || ' x ' || l.grid_y || ' x ' || l.grid_z, l.block_x || ' x ' || "
        "l.block_y || ' x ' "
        "|| l.block_z, l.file, l.line, s.sectors, s.wavefronts, s.requests, l.error, l.error_name "
        "FROM launch l JOIN launch_summary s USING(launch_id) ORDER BY l.launch_id",
        [&](Row row) {
          const std::int64_t launch = asInteger(row[0]);
          const std::string kernel = asText(row[1]);
          const bool refused = asInteger(row[15]) != 0;
          complete("launch", "launch " + kernel, hostTrack, at(row[4]), at(row[5]));
          timeline_.argument("launch_id", launch);
          timeline_.argument("file", asText(row[10]));
          timeline_.argument("line", asInteger(row[11]));
          if (refused) timeline_.argument("error", asText(row[16]));
          timeline_.end();
          if (refused) return true;
          const std::int64_t track = streamTrack(asInteger(row[2]), asInteger(row[3]));
          flow("s", launch, hostTrack, at(row[4]));
          complete("kernel", kernel, track, at(row[6]), at(row[7]));
          timeline_.argument("launch_id", launch);
          timeline_.argument("grid", asText(row[8]));
          timeline_.argument("block", asText(row[9]));
          timeline_.argument("requests", asInteger(row[14]));
          timeline_.argument("sectors", asInteger(row[12]));
          timeline_.argument("wavefronts", asInteger(row[13]));
          timeline_.end();
          flow("f", launch, track, at(row[6]));
          return true;
        });
  }

  void flow(const char* phase, std::int64_t id, std::int64_t track, std::int64_t ns) {
    timeline_.begin(phase, "launch", track, ns);
    timeline_.category("launch");
    timeline_.id(id);
    if (*phase == 'f') timeline_.raw(", \"bp\": \"e\"");
    timeline_.end();
  }

  Error hostCalls() {
    return reader_.query(
        "SELECT begin_ns, api, end_ns, file, line, direction, bytes FROM memory_operation UNION ALL "
        "SELECT begin_ns, api, end_ns, file, line, NULL, NULL FROM synchronization ORDER BY 1",
        [&](Row row) {
          const bool copy = !isNull(row[5]);
          complete(copy ? "copy" : "wait", asText(row[1]), hostTrack, at(row[0]), at(row[2]));
          if (copy) {
            timeline_.argument("direction", asText(row[5]));
            timeline_.argument("bytes", asInteger(row[6]));
          }
          timeline_.argument("file", asText(row[3]));
          timeline_.argument("line", asInteger(row[4]));
          timeline_.end();
          return true;
        });
  }

  /// Bytes allocated, as a curve.
  Error memory() {
    std::int64_t bytes = 0;
    return reader_.query(
        "SELECT allocated_ns, bytes FROM allocation WHERE space = 'global' AND api NOT LIKE '\\_\\_%' ESCAPE "
        "'\\' "
        "UNION ALL SELECT freed_ns, -bytes FROM allocation WHERE freed_ns IS NOT NULL AND space = 'global' "
        "AND "
        "api NOT LIKE '\\_\\_%' ESCAPE '\\' ORDER BY 1",
        [&](Row row) {
          bytes += asInteger(row[1]);
          timeline_.begin("C", "allocated bytes", hostTrack, at(row[0]));
          timeline_.argument("bytes", bytes);
          timeline_.end();
          return true;
        });
  }

  Error phases() {
    return reader_.query("SELECT begin_ns, name, ifnull(end_ns, begin_ns) FROM phase ORDER BY begin_ns",
                         [&](Row row) {
                           complete("phase", asText(row[1]), hostTrack, at(row[0]), at(row[2]));
                           timeline_.end();
                           return true;
                         });
  }

  const TraceReader& reader_;
  Timeline& timeline_;
  std::int64_t beginNs_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> streams_;
};

}  // namespace

Error exportChrome(const TraceReader& reader, const ExportOptions& options) {
  std::int64_t process = 0, beginNs = 0;
  std::string program;
  if (Error error = reader.query("SELECT process_id, begin_ns, program FROM process LIMIT 1", [&](Row row) {
        process = asInteger(row[0]);
        beginNs = asInteger(row[1]);
        program = asText(row[2]);
        return false;
      }))
    return error;
  OutputFile file(options.path);
  Timeline timeline(file.stream(), process);
  if (Error error = ChromeExport(reader, timeline, beginNs).run(program)) return error;
  timeline.close();
  return file.finish();
}

}  // namespace cui::db
