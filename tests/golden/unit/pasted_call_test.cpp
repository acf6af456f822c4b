// CUI_PASTED_API: which names it takes for wrapped calls.
#include "cuinstrument/device/pasted_call.h"

#include <gtest/gtest.h>

namespace {

#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__
#define CHECK(call) TEXT(CUI_PASTED_API(3, cuda##call))

TEST(PastedCall, KnowsEachFunctionOfTheCatalogue) {
#define CUI_API_FUNCTION(name, category) \
  EXPECT_STREQ(TEXT(CUI_PASTED_API(3, name)), "::cui::CuiCall(3). " #name);
#include "cuinstrument/device/api.def"
#undef CUI_API_FUNCTION
}

TEST(PastedCall, TakesTheNameWithItsArguments) {
  EXPECT_STREQ(CHECK(Memcpy(p, q, f(a, b), d)), "::cui::CuiCall(3). cudaMemcpy(p, q, f(a, b), d)");
  EXPECT_STREQ(CHECK(DeviceSynchronize()), "::cui::CuiCall(3). cudaDeviceSynchronize()");
}

TEST(PastedCall, LeavesOtherFunctionsAlone) {
  EXPECT_STREQ(CHECK(GetLastError()), "cudaGetLastError()");
  EXPECT_STREQ(CHECK(MemGetInfo(&a, &b)), "cudaMemGetInfo(&a, &b)");
  EXPECT_STREQ(CHECK(Success), "cudaSuccess");
}

}  // namespace
