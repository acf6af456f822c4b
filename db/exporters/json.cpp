// json: one array of objects; jsonl: one object per line. Blobs are hexadecimal strings, reals that JSON
// cannot write are strings, invalid UTF-8 is replaced. Duplicate column names get a suffix.
#include <cmath>
#include <cstdio>
#include <ostream>
#include <set>

#include "db/exporters/exporters.h"

namespace cui::db {

namespace {

/// Length of the valid UTF-8 sequence at the start of `text`, 0 if there is none.
std::size_t utf8Length(std::string_view text) {
  const auto at = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto tail = [&at](std::size_t i) { return (at(i) & 0xc0) == 0x80; };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && at(1) < 0xa0, surrogate = first == 0xed && at(1) > 0x9f;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool overlong = first == 0xf0 && at(1) < 0x90, beyond = first == 0xf4 && at(1) > 0x8f;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

void writeString(std::ostream& out, std::string_view text) {
  out << '"';
  while (!text.empty()) {
    const std::size_t length = utf8Length(text);
    const char c = text[0];
    if (length == 0)
      out << "\\ufffd";
    else if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (c == '\n')
      out << "\\n";
    else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out << escape;
    } else
      out << text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out << '"';
}

void writeValue(std::ostream& out, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    out << *integer;
  } else if (const auto* real = std::get_if<double>(&value)) {
    if (std::isfinite(*real))
      out << realText(*real);
    else
      writeString(out, realText(*real));
  } else if (const auto* string = std::get_if<std::string_view>(&value)) {
    writeString(out, *string);
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
      writeString(out_, columns_[i]);
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
