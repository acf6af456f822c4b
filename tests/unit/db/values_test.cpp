// Recorded bytes as SQL values, by the site's type.
#include "db/store/values.h"

#include <gtest/gtest.h>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

/// Of a value of `bytes` bytes, in a launch of `kernel`; the site is in function `scale`.
ValueType typeOf(const char* type, const char* context, std::uint32_t bytes = 4, const char* kernel = "k") {
  return ValueTypes(type, "scale", context).of(bytes, kernel);
}

TEST(ValueType, ComesFromTheTypeAsWritten) {
  EXPECT_EQ(typeOf("float", ""), ValueType::real);
  EXPECT_EQ(typeOf("const volatile unsigned int", ""), ValueType::unsignedInteger);
  EXPECT_EQ(typeOf("std::int8_t", ""), ValueType::signedInteger);
  EXPECT_EQ(typeOf("__half", ""), ValueType::half);
  EXPECT_EQ(typeOf("float4", ""), ValueType::bytes);
  EXPECT_EQ(typeOf("struct Particle", ""), ValueType::bytes);
  EXPECT_EQ(typeOf("float", "T=int"), ValueType::real);
}

TEST(ValueType, ATemplateParameterIsResolvedWhereAllInstantiationsAgree) {
  EXPECT_EQ(typeOf("T", "T=float"), ValueType::real);
  EXPECT_EQ(typeOf("const T", "T=int, N=4 | T=int, N=8"), ValueType::signedInteger);
  EXPECT_EQ(typeOf("T", "T=float | T=int"), ValueType::bytes);
  EXPECT_EQ(typeOf("T", "U=float"), ValueType::bytes);
  EXPECT_EQ(typeOf("T", ""), ValueType::bytes);
}

TEST(ValueType, InstantiationsOfDifferentSizesAreToldApartByTheSize) {
  for (const char* type : {"T", "double | short | Particle"}) {
    const char* const context = "T=double | T=short | U=int, T=double";
    EXPECT_EQ(typeOf(type, context, 2), type[0] == 'T' ? ValueType::signedInteger : ValueType::bytes);
    EXPECT_EQ(typeOf(type, context, 8), type[0] == 'T' ? ValueType::real : ValueType::bytes);
    EXPECT_EQ(typeOf(type, context, 4), ValueType::bytes);  // none of them; Particle's size is not known
  }
}

TEST(ValueType, AKernelsArgumentsTellItsInstantiation) {
  const char* const context = "T=float, Op=Sum<int, 3> | T=int, Op=Sum<int, 3>";
  EXPECT_EQ(typeOf("T", context, 4, "scale<float, Sum<int, 3>>"), ValueType::real);
  EXPECT_EQ(typeOf("T", context, 4, "scale<int, Sum<int, 3>>"), ValueType::signedInteger);
  EXPECT_EQ(typeOf("T", context, 4, "other<int, Sum<int, 3>>"), ValueType::bytes);  // called by it
}

TEST(ValueType, HostileTextIsBytes) {
  for (const char* text : {" | ", ", ", "=", "T=", "<", ">>>>, T=int(", "T=int<", " | T=", "T=<, >=<"})
    EXPECT_EQ(typeOf("T", text), ValueType::bytes) << text;
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
