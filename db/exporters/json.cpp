// json: one array of objects; jsonl: one object per line. Blobs are hexadecimal strings, reals that JSON
// cannot write are strings, invalid UTF-8 is replaced. Duplicate column names get a suffix.
#include <cmath>
#include <ostream>
#include <set>

#include "db/exporters/exporters.h"
#include "db/exporters/json_text.h"

namespace cui::db {

namespace {

void writeValue(std::ostream& out, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    out << *integer;
  } else if (const auto* real = std::get_if<double>(&value)) {
    if (std::isfinite(*real))
      out << realText(*real);
    else
      writeJsonString(out, realText(*real));
  } else if (const auto* string = std::get_if<std::string_view>(&value)) {
    writeJsonString(out, *string);
  } else if (const auto* bytes = std::get_if<Bytes>(&value)) {
    static constexpr char digits[] = "0123456789abcdef";
    out << '"';
    for (const std::uint8_t byte : bytes->data) out << digits[byte >> 4] << digits[byte & 15];
    out << '"';
  } else {
    out << "null";
  }
}

class JsonWriter : public RowWriter {
 public:
  JsonWriter(std::ostream& out, bool lines) : out_(out), lines_(lines) {}

  void begin(std::span<const std::string> columns) override {
    std::set<std::string> used;
    for (const std::string& column : columns) {
      std::string name = column;
      for (int n = 2; !used.insert(name).second; ++n) name = column + "_" + std::to_string(n);
      columns_.push_back(name);
    }
    if (!lines_) out_ << '[';
  }

  void row(Row values) override {
    if (!lines_) out_ << (rows_++ == 0 ? "\n" : ",\n");
    out_ << '{';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i != 0) out_ << ", ";
      writeJsonString(out_, columns_[i]);
      out_ << ": ";
      writeValue(out_, values[i]);
    }
    out_ << '}';
    if (lines_) out_ << '\n';
  }

  void end() override {
    if (!lines_) out_ << (rows_ == 0 ? "]\n" : "\n]\n");
  }

 private:
  std::ostream& out_;
  const bool lines_;
  std::vector<std::string> columns_;
  std::size_t rows_ = 0;
};

}  // namespace

std::unique_ptr<RowWriter> jsonWriter(std::ostream& out) {
  return std::make_unique<JsonWriter>(out, false);
}
std::unique_ptr<RowWriter> jsonlWriter(std::ostream& out) {
  return std::make_unique<JsonWriter>(out, true);
}

}  // namespace cui::db
