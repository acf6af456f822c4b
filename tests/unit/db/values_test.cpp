// Recorded bytes as SQL values, by the site's type.
#include "db/store/values.h"

#include <gtest/gtest.h>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

TEST(ValueType, ComesFromTheTypeAsWritten) {
  EXPECT_EQ(valueTypeOf("float", ""), ValueType::real);
  EXPECT_EQ(valueTypeOf("const volatile unsigned int", ""), ValueType::unsignedInteger);
  EXPECT_EQ(valueTypeOf("std::int8_t", ""), ValueType::signedInteger);
  EXPECT_EQ(valueTypeOf("__half", ""), ValueType::half);
  EXPECT_EQ(valueTypeOf("float4", ""), ValueType::bytes);
  EXPECT_EQ(valueTypeOf("struct Particle", ""), ValueType::bytes);
}

TEST(ValueType, ATemplateParameterIsResolvedWhereAllInstantiationsAgree) {
  EXPECT_EQ(valueTypeOf("T", "T=float"), ValueType::real);
  EXPECT_EQ(valueTypeOf("const T", "T=int, N=4 | T=int, N=8"), ValueType::signedInteger);
  EXPECT_EQ(valueTypeOf("T", "T=float | T=int"), ValueType::bytes);
  EXPECT_EQ(valueTypeOf("T", "U=float"), ValueType::bytes);
  EXPECT_EQ(valueTypeOf("T", ""), ValueType::bytes);
}

/// Writes one lane of `site` with these bytes; the value as it is read.
template <class T>
std::string stored(const char* type, const T& value) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  format::SiteEntry site = sites[0];
  site.type = type;
  format::UnitTable one = unit;
  one.siteCount = 1;
  one.sites = &site;
  Error error;
  auto writer = TraceWriter::open(path, {}, error);
  EXPECT_OK(writer->addUnit(one, siteBase));
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  Slots slots = {header(0, 0, 0, 1, sizeof(T), Space::global, AddressForm::affine, true)};
  unsigned char payload[32 * sizeof(T)] = {};
  std::memcpy(payload, &value, sizeof value);
  appendBytes(slots, payload, sizeof payload);
  EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
  EXPECT_OK(writer->close());
  return rows(path, "SELECT typeof(value), value FROM access_lane");
}

TEST(StoredValue, NumbersAreNumbers) {
  EXPECT_EQ(stored("float", 0.1f), "real|0.10000000149011612");  // the float, exactly, as a double
  EXPECT_EQ(stored("double", -1e300), "real|-1e+300");
  EXPECT_EQ(stored("double", 1.0 / 0.0), "text|Inf");
  EXPECT_EQ(stored("char", static_cast<signed char>(-5)), "integer|-5");
  EXPECT_EQ(stored("unsigned char", static_cast<unsigned char>(251)), "integer|251");
  EXPECT_EQ(stored("int", -123456), "integer|-123456");
  EXPECT_EQ(stored("unsigned", 4000000000u), "integer|4000000000");
  EXPECT_EQ(stored("long long", -5'000'000'000ll), "integer|-5000000000");
  EXPECT_EQ(stored("__half", std::uint16_t{0xc500}), "real|-5.0");                   // -1.25 * 2^2
  EXPECT_EQ(stored("__half", std::uint16_t{0x0001}), "real|5.960464477539063e-08");  // 2^-24
  EXPECT_EQ(stored("__nv_bfloat16", std::uint16_t{0x3fc0}), "real|1.5");
}

TEST(StoredValue, OtherTypesAreBytes) {
  EXPECT_EQ(stored("float2", std::array<float, 2>{1, 2}), "blob|blob(8)");
  EXPECT_EQ(stored("float4", std::array<float, 4>{1, 2, 3, 4}), "blob|blob(16)");
}

}  // namespace
}  // namespace cui::db
