// chrome: what the host and the streams did over time, in the Trace Event Format that Perfetto and
// chrome://tracing read: one JSON object with complete events ("X"), flows from launch to kernel ("s", "f"),
// counters ("C") and names of tracks ("M"). Times are microseconds from the start of the (first) recording.
#include <map>
#include <ostream>
#include <utility>

#include "db/exporters/json_text.h"
#include "db/exporters/output_file.h"
#include "db/exporters/trace_formats.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

/// A row of the picture.
struct Track {
  std::int64_t process = 0, number = 0;
};
Track hostTrack(std::int64_t process) {
  return {process, 1};
}
constexpr std::int64_t firstStreamTrack = 2;

class Timeline {
 public:
  explicit Timeline(std::ostream& out) : out_(out) {
    out_ << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  }

  /// Opens an event; its arguments follow, then end().
  void begin(const char* phase, std::string_view name, Track track, std::int64_t ns) {
    out_ << (events_++ == 0 ? "\n" : ",\n") << "{\"ph\": \"" << phase << "\", \"pid\": " << track.process
         << ", \"tid\": " << track.number << ", \"name\": ";
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

  void nameTrack(Track track, std::string_view name) {
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
  std::uint64_t events_ = 0;
  bool arguments_ = false;
};

class ChromeExport {
 public:
  ChromeExport(const TraceReader& reader, Timeline& timeline, std::int64_t beginNs)
      : reader_(reader), timeline_(timeline), beginNs_(beginNs) {}

  Error run() {
    Error error = processes();
    if (!error) error = launches();
    if (!error) error = hostCalls();
    if (!error) error = memory();
    if (!error) error = phases();
    return error;
  }

 private:
  std::int64_t at(const Value& ns) const { return asInteger(ns) - beginNs_; }

  Error processes() {
    return reader_.query("SELECT process_id, program FROM process ORDER BY begin_ns, process_id",
                         [&](Row row) {
                           const Track host = hostTrack(asInteger(row[0]));
                           timeline_.begin("M", "process_name", host, 0);
                           timeline_.argument("name", asText(row[1]));
                           timeline_.end();
                           timeline_.nameTrack(host, "host calls");
                           return true;
                         });
  }

  Track streamTrack(std::int64_t process, std::int64_t device, std::int64_t stream) {
    const auto [found, fresh] =
        streams_.emplace(std::pair(device, stream),
                         Track{process, firstStreamTrack + static_cast<std::int64_t>(streams_.size())});
    if (fresh)
      timeline_.nameTrack(found->second,
                          "device " + std::to_string(device) +
                              (stream == 0 ? " default stream" : " stream " + std::to_string(stream)));
    return found->second;
  }

  void complete(const char* category, std::string_view name, Track track, std::int64_t begin,
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
        "|| l.block_z, l.file, l.line, s.sectors, s.wavefronts, s.requests, l.error, l.error_name, "
        "l.process_id FROM launch l JOIN launch_summary s USING(launch_id) ORDER BY l.launch_id",
        [&](Row row) {
          const std::int64_t launch = asInteger(row[0]);
          const std::string kernel = asText(row[1]);
          const bool refused = asInteger(row[15]) != 0;
          const Track host = hostTrack(asInteger(row[17]));
          complete("launch", "launch " + kernel, host, at(row[4]), at(row[5]));
          timeline_.argument("launch_id", launch);
          timeline_.argument("file", asText(row[10]));
          timeline_.argument("line", asInteger(row[11]));
          if (refused) timeline_.argument("error", asText(row[16]));
          timeline_.end();
          if (refused) return true;
          const Track track = streamTrack(host.process, asInteger(row[2]), asInteger(row[3]));
          flow("s", launch, host, at(row[4]));
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

  void flow(const char* phase, std::int64_t id, Track track, std::int64_t ns) {
    timeline_.begin(phase, "launch", track, ns);
    timeline_.category("launch");
    timeline_.id(id);
    if (*phase == 'f') timeline_.raw(", \"bp\": \"e\"");
    timeline_.end();
  }

  Error hostCalls() {
    return reader_.query(
        "SELECT begin_ns, api, end_ns, file, line, process_id, direction, bytes FROM memory_operation UNION "
        "ALL "
        "SELECT begin_ns, api, end_ns, file, line, process_id, NULL, NULL FROM synchronization ORDER BY 1",
        [&](Row row) {
          const bool copy = !isNull(row[6]);
          complete(copy ? "copy" : "wait", asText(row[1]), hostTrack(asInteger(row[5])), at(row[0]),
                   at(row[2]));
          if (copy) {
            timeline_.argument("direction", asText(row[6]));
            timeline_.argument("bytes", asInteger(row[7]));
          }
          timeline_.argument("file", asText(row[3]));
          timeline_.argument("line", asInteger(row[4]));
          timeline_.end();
          return true;
        });
  }

  /// Bytes allocated, as a curve.
  Error memory() {
    std::map<std::int64_t, std::int64_t> bytes;  // by process
    return reader_.query(
        "SELECT allocated_ns, bytes, process_id FROM allocation WHERE space = 'global' AND api NOT LIKE "
        "'\\_\\_%' ESCAPE "
        "'\\' "
        "UNION ALL SELECT freed_ns, -bytes, process_id FROM allocation WHERE freed_ns IS NOT NULL AND space "
        "= 'global' "
        "AND "
        "api NOT LIKE '\\_\\_%' ESCAPE '\\' ORDER BY 1",
        [&](Row row) {
          const std::int64_t process = asInteger(row[2]);
          timeline_.begin("C", "allocated bytes", hostTrack(process), at(row[0]));
          timeline_.argument("bytes", bytes[process] += asInteger(row[1]));
          timeline_.end();
          return true;
        });
  }

  Error phases() {
    return reader_.query(
        "SELECT begin_ns, name, ifnull(end_ns, begin_ns), process_id FROM phase ORDER BY begin_ns",
        [&](Row row) {
          complete("phase", asText(row[1]), hostTrack(asInteger(row[3])), at(row[0]), at(row[2]));
          timeline_.end();
          return true;
        });
  }

  const TraceReader& reader_;
  Timeline& timeline_;
  std::int64_t beginNs_;
  std::map<std::pair<std::int64_t, std::int64_t>, Track> streams_;  ///< by device and stream
};

}  // namespace

Error exportChrome(const TraceReader& reader, const ExportOptions& options) {
  Error error;
  const std::int64_t beginNs = reader.integer("SELECT begin_ns FROM recording", error);
  if (error) return error;
  OutputFile file(options.path);
  Timeline timeline(file.stream());
  error = ChromeExport(reader, timeline, beginNs).run();
  if (error) return error;
  timeline.close();
  return file.finish();
}

}  // namespace cui::db
