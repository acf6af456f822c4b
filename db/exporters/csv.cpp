// csv: RFC 4180 with a header line. NULL is an empty field, text with commas, quotes or line ends is
// quoted (and so is the empty text, to tell it from NULL), blobs are x'hexadecimal'.
#include <ostream>

#include "db/exporters/exporters.h"

namespace cui::db {

namespace {

class CsvWriter : public RowWriter {
 public:
  explicit CsvWriter(std::ostream& out) : out_(out) {}

  void begin(std::span<const std::string> columns) override {
    const char* separator = "";
    for (const std::string& column : columns) {
      out_ << separator;
      text(column);
      separator = ",";
    }
    out_ << "\r\n";
  }

  void row(Row values) override {
    const char* separator = "";
    for (const Value& value : values) {
      out_ << separator;
      separator = ",";
      if (const auto* integer = std::get_if<std::int64_t>(&value))
        out_ << *integer;
      else if (const auto* real = std::get_if<double>(&value))
        out_ << realText(*real);
      else if (const auto* string = std::get_if<std::string_view>(&value))
        text(*string);
      else if (const auto* bytes = std::get_if<Bytes>(&value))
        blob(*bytes);
    }
    out_ << "\r\n";
  }

  void end() override {}

 private:
  void text(std::string_view string) {
    if (!string.empty() && string.find_first_of(",\"\r\n") == std::string_view::npos) {
      out_ << string;
      return;
    }
    out_ << '"';
    for (const char c : string) {
      if (c == '"') out_ << '"';
      out_ << c;
    }
    out_ << '"';
  }
  void blob(const Bytes& bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    out_ << "x'";
    for (const std::uint8_t byte : bytes.data) out_ << digits[byte >> 4] << digits[byte & 15];
    out_ << '\'';
  }

  std::ostream& out_;
};

}  // namespace

std::unique_ptr<RowWriter> csvWriter(std::ostream& out) {
  return std::make_unique<CsvWriter>(out);
}

}  // namespace cui::db
