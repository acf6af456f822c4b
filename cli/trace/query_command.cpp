// Questions to a trace that SQL or yes and no answer.
#include "cli/trace/query_command.h"

#include <iostream>
#include <iterator>
#include <sstream>

#include "cli/base/errors.h"
#include "cli/base/format_text.h"
#include "cli/base/signals.h"
#include "cli/base/terminal.h"
#include "cli/trace/open.h"
#include "cli/trace/table.h"
#include "db/exporters/exporters.h"
#include "db/store/materialize.h"
#include "db/store/merge.h"
#include "db/store/upgrade.h"

namespace cui::cli {
namespace {

/// Aligned columns. Widths are those of the first rows; later ones are printed as they come, so that a
/// query over a large trace starts to answer at once and needs no memory. Texts are shortened as far as the
/// rows are wider than `width`.
class TableWriter : public db::RowWriter {
 public:
  TableWriter(std::ostream& out, std::size_t width) : out_(out), width_(width) {}

  void begin(std::span<const std::string> columns) override {
    titles_.assign(columns.begin(), columns.end());
    numeric_.assign(columns.size(), true);
  }

  void row(db::Row values) override {
    std::vector<std::string> cells;
    cells.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      cells.push_back(textOf(values[i]));
      if (!flushed_) {
        const bool number =
            std::holds_alternative<std::int64_t>(values[i]) || std::holds_alternative<double>(values[i]);
        numeric_[i] = numeric_[i] && (number || db::isNull(values[i]));
      }
    }
    if (flushed_) {
      print(cells);
      return;
    }
    rows_.push_back(std::move(cells));
    if (rows_.size() == rowsToMeasure) flush();
  }

  void end() override {
    if (!flushed_) flush();
  }

 private:
  static constexpr std::size_t rowsToMeasure = 1000;

  static std::string textOf(const db::Value& value) {
    if (db::isNull(value)) return "";
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value)) return formatText("{:.6g}", *real);
    if (const auto* bytes = std::get_if<db::Bytes>(&value)) {
      std::string text = "x'";
      for (std::uint8_t byte : bytes->data) text += formatText("{:02x}", byte);
      return text + "'";
    }
    // A line break inside a cell would break the table.
    std::string text = db::asText(value);
    for (char& c : text)
      if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    return text;
  }

  void flush() {
    flushed_ = true;
    widths_.reserve(titles_.size());
    for (const std::string& title : titles_) widths_.push_back(displayWidth(title));
    for (const std::vector<std::string>& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], displayWidth(row[i]));
    shrink();
    print(titles_);
    std::vector<std::string> rules;
    rules.reserve(widths_.size());
    for (std::size_t width : widths_) rules.emplace_back(width, '-');
    print(rules);
    for (const std::vector<std::string>& row : rows_) print(row);
    rows_.clear();
  }

  /// Cell by cell from the widest column of texts; digits are never left out.
  void shrink() {
    std::size_t total = 0;
    for (const std::size_t width : widths_) total += width + gap;
    for (total -= std::min(total, gap); total > width_; --total) {
      std::size_t* widest = nullptr;
      for (std::size_t i = 0; i < widths_.size(); ++i)
        if (!numeric_[i] && widths_[i] > smallestShrunk && (!widest || widths_[i] > *widest))
          widest = &widths_[i];
      if (!widest) return;
      --*widest;
    }
  }

  void print(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell =
          width_ == unlimitedWidth || numeric_[i] ? cells[i] : shortened(cells[i], widths_[i]);
      const std::string fill(widths_[i] - std::min(widths_[i], displayWidth(cell)), ' ');
      if (i > 0) out_ << std::string(gap, ' ');
      if (numeric_[i])
        out_ << fill << cell;
      else
        out_ << cell << (i + 1 < cells.size() ? fill : "");
    }
    out_ << '\n';
  }

  static constexpr std::size_t gap = 2, smallestShrunk = 12;
  std::ostream& out_;
  const std::size_t width_;
  std::vector<std::string> titles_;
  std::vector<std::size_t> widths_;
  std::vector<bool> numeric_;
  std::vector<std::vector<std::string>> rows_;
  bool flushed_ = false;
};

std::unique_ptr<db::RowWriter> makeWriter(const std::string& format, std::ostream& out) {
  if (format == "table") return std::make_unique<TableWriter>(out, outputWidth());
  const db::Exporter* exporter = db::findExporter(format);
  if (!exporter) throw Error(ExitCode::usage, "unknown format '" + format + "'");
  return exporter->make(out);
}

}  // namespace

int runQuery(const QueryRequest& request) {
  const SignalGuard guard;
  const std::unique_ptr<db::TraceReader> trace = openTrace(request.trace);
  std::string sql = request.sql;
  if (sql == "-") sql.assign(std::istreambuf_iterator<char>(std::cin), {});

  StandardOutput output;
  const std::unique_ptr<db::RowWriter> writer = makeWriter(request.format, output.stream());
  {
    Progress progress("querying");
    bool started = false;
    trace->setProgress([&] {
      if (!started) progress.show(0, 0);
      return SignalGuard::pending() != 0 || output.failed();
    });
    const auto columns = [&](std::span<const std::string> names) { writer->begin(names); };
    const auto row = [&](db::Row values) {
      started = true;
      writer->row(values);
      return !output.failed() && SignalGuard::pending() == 0;
    };
    const db::Error error = trace->query(sql, row, {}, columns);
    // What was found before Ctrl-C or an error is shown, then the reason for the end.
    if (!error || error.code == db::ErrorCode::cancelled) writer->end();
    if (output.failed()) output.finish();
    SignalGuard::check();
    throwIf(error);
  }
  output.finish();
  return 0;
}

int runValidate(const std::string& path) {
  const SignalGuard guard;
  const std::unique_ptr<db::TraceReader> trace = openTrace(path);
  Progress progress("validating");
  trace->setProgress([&] {
    progress.show(0, 0);
    return SignalGuard::pending() != 0;
  });
  db::Error error;
  const std::vector<db::ValidationFinding> findings = trace->validate(error);
  throwIf(error);
  StandardOutput output;
  for (const db::ValidationFinding& finding : findings)
    output.stream() << db::nameOf(finding.severity) << ": " << finding.check << ": " << finding.detail
                    << '\n';
  const bool valid = db::passes(findings);
  output.stream() << path << (valid ? ": complete and consistent\n" : ": NOT complete and consistent\n");
  output.finish();
  return static_cast<int>(valid ? ExitCode::ok : ExitCode::no);
}

int runMaterialize(const std::string& path) {
  const SignalGuard guard;
  openTrace(path);  // the same one-line messages as everywhere for a file that is no trace
  {
    Progress progress("materializing");
    throwIf(db::materialize(path, [&](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
      return SignalGuard::pending() == 0;
    }));
  }
  const std::unique_ptr<db::TraceReader> trace = openTrace(path);
  StandardOutput output;
  output.stream() << path << ": " << queryInteger(*trace, "SELECT count(*) FROM access")
                  << " rows in table access; access_lane is a view on them\n";
  output.finish();
  return 0;
}

int runMerge(const std::vector<std::string>& traces, const std::string& output) {
  const SignalGuard guard;
  {
    Progress progress("merging");
    throwIf(db::mergeTraces(traces, output, [&](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
      return SignalGuard::pending() == 0;
    }));
  }
  const std::unique_ptr<db::TraceReader> trace = openTrace(output);
  StandardOutput out;
  out.stream() << output << ": " << traces.size() << " traces, "
               << queryInteger(*trace, "SELECT count(*) FROM launch") << " launches, "
               << queryInteger(*trace, "SELECT ifnull(sum(record_count), 0) FROM access_chunk")
               << " records\n";
  out.finish();
  return 0;
}

int runUpgrade(const std::string& path) {
  const SignalGuard guard;
  int from = 0;
  {
    Progress progress("upgrading");
    throwIf(db::upgrade(path, from, [&](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
      return SignalGuard::pending() == 0;
    }));
  }
  const int now = openTrace(path)->schemaVersion();
  StandardOutput output;
  output.stream() << path << ": schema version " << now;
  if (from == now)
    output.stream() << " already\n";
  else
    output.stream() << ", was " << from << '\n';
  output.finish();
  return 0;
}

}  // namespace cui::cli
